-- MCP servers and what they offer. A listing is what a server states at one moment. A tool of a listing is used only after a person authorized its
-- definition: the digest of the authorized definition (its pin) is compared with that of each later listing.
create table mcp_servers (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  name text not null,
  slug text not null,
  transport jsonb not null,
  credential_id text,
  capability_prefix text not null,
  settings jsonb not null default '{}',
  status text not null default 'PENDING',
  status_reason text,
  era text,
  protocol_version text,
  server_info jsonb,
  instructions text,
  server_pin text,
  accepted_server_pin text,
  accepted_instructions text,
  listing_hash text,
  listing_checked_at timestamptz,
  listing_due_at timestamptz not null default now(),
  listing_failures integer not null default 0,
  listing_failure jsonb,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint mcp_servers_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint mcp_servers_name_is_unique unique (organization_id, environment_id, name),
  constraint mcp_servers_slug_is_unique unique (organization_id, environment_id, slug),
  constraint mcp_servers_status_is_known check (status in ('PENDING', 'ACTIVE', 'QUARANTINED', 'DISABLED')),
  constraint mcp_servers_era_is_known check (era in ('MODERN', 'LEGACY'))
);
comment on table mcp_servers is 'MCP servers whose tools agents may call through the gateway.';
comment on column mcp_servers.slug is 'Derived from the name and never changed. The names of its tools begin with it.';
comment on column mcp_servers.transport is 'How the server is reached: {type: HTTP, url} or {type: STDIO, command, args, package, integrity}.';
comment on column mcp_servers.era is 'Generation of the protocol that the newest listing was taken with: MODERN has no sessions.';
comment on column mcp_servers.server_pin is 'SHA-256 over the name, capabilities and instructions of the newest listing, in hex.';
comment on column mcp_servers.accepted_server_pin is 'The pin that a person accepted. Clients get the accepted instructions and no others.';
comment on column mcp_servers.listing_hash is 'The newest listing, in mcp_listings.';
comment on column mcp_servers.listing_checked_at is 'When the server last answered a complete listing. Gateways refuse calls when it is too long ago.';
comment on column mcp_servers.listing_due_at is 'When the next listing is taken.';
comment on column mcp_servers.listing_failures is 'Listings in a row that failed; they postpone the next one.';
comment on column mcp_servers.listing_failure is 'Why the last listing failed; null if it did not.';

create table mcp_tools (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  server_id text not null,
  name text not null,
  definition text not null,
  pin text not null,
  authorized_definition text,
  authorized_pin text,
  status text not null default 'DISCOVERED',
  tool_id text,
  findings jsonb not null default '[]',
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  authorized_by text,
  authorized_at timestamptz,
  disabled_reason text,
  primary key (organization_id, id),
  constraint mcp_tools_belong_to_a_server foreign key (organization_id, server_id) references mcp_servers (organization_id, id) on delete cascade,
  constraint mcp_tools_are_a_tool foreign key (organization_id, tool_id) references tools (organization_id, id),
  constraint mcp_tools_name_is_unique unique (organization_id, server_id, name),
  constraint mcp_tools_tool_is_unique unique (organization_id, tool_id),
  constraint mcp_tools_status_is_known check (status in ('DISCOVERED', 'AUTHORIZED', 'DISABLED', 'CHANGED', 'GONE'))
);
comment on table mcp_tools is 'Tools that MCP servers offer, each with the definition that was authorized.';
comment on column mcp_tools.name is 'Name of the tool at its server.';
comment on column mcp_tools.definition is 'The definition in the newest listing, byte for byte.';
comment on column mcp_tools.pin is 'SHA-256 over the definition in canonical form, in hex.';
comment on column mcp_tools.authorized_definition is 'The definition that a person authorized. Clients get this one.';
comment on column mcp_tools.tool_id is 'The governed tool. Null until the tool is first authorized.';
comment on column mcp_tools.findings is 'Findings in the definition: kind, severity, place and explanation.';

create table mcp_listings (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  server_id text not null,
  hash text not null,
  definitions jsonb not null,
  taken_by_type text not null,
  taken_by_id text not null,
  first_taken_at timestamptz not null,
  last_taken_at timestamptz not null,
  primary key (organization_id, server_id, hash),
  constraint mcp_listings_belong_to_a_server foreign key (organization_id, server_id) references mcp_servers (organization_id, id) on delete cascade
);
comment on table mcp_listings is 'Different listings of a server, the newest ones of each.';
comment on column mcp_listings.definitions is 'Name and pin of each tool.';

create index mcp_servers_by_due_listing on mcp_servers (listing_due_at) where status <> 'DISABLED';

-- A change of what decisions read moves the epoch of its environment, once for all rows of a statement. When a listing is due or failed is no such
-- change.
create function svc_mcp_rows_came() returns trigger language plpgsql as $$
declare
  place record;
begin
  for place in select distinct organization_id, environment_id from changed_rows order by 1, 2 loop
    perform svc_bump_environment(place.organization_id, place.environment_id);
  end loop;
  return null;
end $$;
create function svc_mcp_rows_changed() returns trigger language plpgsql as $$
declare
  place record;
begin
  for place in
    select distinct n.organization_id, n.environment_id from new_rows n join old_rows o on o.organization_id = n.organization_id and o.id = n.id
     where to_jsonb(n) - array['listing_due_at', 'listing_failures', 'listing_failure', 'updated_at', 'last_seen_at', 'findings']
           is distinct from to_jsonb(o) - array['listing_due_at', 'listing_failures', 'listing_failure', 'updated_at', 'last_seen_at', 'findings']
     order by 1, 2
  loop
    perform svc_bump_environment(place.organization_id, place.environment_id);
  end loop;
  return null;
end $$;
revoke all on function svc_mcp_rows_came from public;
revoke all on function svc_mcp_rows_changed from public;
create trigger mcp_server_added_moves_the_epoch after insert on mcp_servers referencing new table as changed_rows
  for each statement execute function svc_mcp_rows_came();
create trigger mcp_server_changed_moves_the_epoch after update on mcp_servers referencing new table as new_rows old table as old_rows
  for each statement execute function svc_mcp_rows_changed();
create trigger mcp_server_removed_moves_the_epoch after delete on mcp_servers referencing old table as changed_rows
  for each statement execute function svc_mcp_rows_came();
create trigger mcp_tool_added_moves_the_epoch after insert on mcp_tools referencing new table as changed_rows
  for each statement execute function svc_mcp_rows_came();
create trigger mcp_tool_changed_moves_the_epoch after update on mcp_tools referencing new table as new_rows old table as old_rows
  for each statement execute function svc_mcp_rows_changed();
create trigger mcp_tool_removed_moves_the_epoch after delete on mcp_tools referencing old table as changed_rows
  for each statement execute function svc_mcp_rows_came();

-- What a person decided about servers and tools is covered by digests in events; what listings renew is not.
create trigger changed_mcp_server_is_noted after insert or delete or update of workspace_id, environment_id, name, slug, transport, credential_id,
  capability_prefix, settings, status, status_reason, accepted_server_pin, accepted_instructions, created_by, created_at
  on mcp_servers for each row execute function svc_note_changed_record('mcp_server', 'organization_id', 'id');
create trigger changed_mcp_tool_is_noted after insert or delete or update of workspace_id, environment_id, server_id, name, authorized_definition,
  authorized_pin, status, tool_id, authorized_by, authorized_at, disabled_reason, first_seen_at
  on mcp_tools for each row execute function svc_note_changed_record('mcp_tool', 'organization_id', 'id');

select svc_guard('mcp_servers', array['svc_app', 'svc_gateway']);
select svc_guard('mcp_tools', array['svc_app', 'svc_gateway']);
select svc_guard('mcp_listings', array['svc_app']);
grant select, insert, update, delete on mcp_servers, mcp_tools, mcp_listings to svc_app;
grant select on mcp_servers, mcp_tools to svc_gateway;

-- A credential serves the tools of an MCP server as a whole, whatever the server calls them. Like the other terms, the names never change.
alter table credentials add column servers text[] not null default '{}';
comment on column credentials.servers is 'Slugs of the MCP servers whose tools it may serve.';
grant select (servers) on credentials to svc_gateway;

-- Whoever takes listings on schedule finds due servers of all tenants, and nothing else of them.
create policy mcp_servers_by_due_listing on mcp_servers for select to svc_identity using (true);
grant select (organization_id, id, environment_id, status, listing_due_at) on mcp_servers to svc_identity;

-- A client that repeats a call finds the approval of the identical request.
create index approvals_by_request on approvals (organization_id, agent_id, request_hash) where status in ('PENDING', 'APPROVED', 'DENIED');
