-- Servers offer tools, resources, templates of resources and prompts. Each is authorized by its definition, and becomes a governed tool, as a
-- tool does. A resource is known by its address, so that it may have the name of a tool.
alter table mcp_tools add column kind text not null default 'TOOL';
alter table mcp_tools
  add constraint mcp_tools_kind_is_known check (kind in ('TOOL', 'RESOURCE', 'RESOURCE_TEMPLATE', 'PROMPT')),
  add constraint mcp_tools_name_is_unique_of_its_kind unique (organization_id, server_id, kind, name),
  drop constraint mcp_tools_name_is_unique;
comment on column mcp_tools.kind is 'Kind of offer of the server: a tool, a resource, a template of resources, or a prompt.';
comment on column mcp_tools.name is 'Name at its server; the address of a resource, and the address of a template with its variables.';

drop trigger changed_mcp_tool_is_noted on mcp_tools;
create trigger changed_mcp_tool_is_noted after insert or delete or update of workspace_id, environment_id, server_id, name, authorized_definition,
  authorized_pin, status, tool_id, authorized_by, authorized_at, disabled_reason, first_seen_at, kind
  on mcp_tools for each row execute function svc_note_changed_record('mcp_tool', 'organization_id', 'id');
