-- Names of tools may have capitals, as the tools of MCP servers do. Two names of one environment that differ only in case would be mistaken for each other.
alter table tools drop constraint tools_name_is_unique;
create unique index tools_name_is_unique on tools (organization_id, environment_id, lower(name collate "C"));
