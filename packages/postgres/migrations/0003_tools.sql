create table tools (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  name text not null,
  description text not null default '',
  required_capability text not null,
  kind text not null,
  destination_allowlist text[] not null default '{}',
  risk_rating text not null default 'LOW',
  dangerous boolean not null default false,
  parameters_schema json not null default '{"type":"object"}',
  amount_from text,
  currency_from text,
  destination_from text,
  execution json,
  status text not null default 'ACTIVE',
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint tools_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint tools_name_is_unique unique (organization_id, environment_id, name),
  constraint tools_kind_is_known check (kind in ('HTTP', 'MCP', 'SDK')),
  constraint tools_risk_rating_is_known check (risk_rating in ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  constraint tools_status_is_known check (status in ('ACTIVE', 'DISABLED'))
);
comment on table tools is 'A protected action that agents may ask for.';

create function svc_part_of_environment_changed() returns trigger language plpgsql as $$
begin
  perform svc_bump_environment(coalesce(new.organization_id, old.organization_id), coalesce(new.environment_id, old.environment_id));
  return null;
end $$;
create trigger tool_moves_the_epoch after insert or update or delete on tools
  for each row execute function svc_part_of_environment_changed();

create table tool_agents (
  organization_id text not null,
  tool_id text not null,
  agent_id text not null,
  authorized_by text not null,
  authorized_at timestamptz not null default now(),
  primary key (organization_id, tool_id, agent_id),
  constraint tool_agents_name_a_tool foreign key (organization_id, tool_id) references tools (organization_id, id),
  constraint tool_agents_name_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id)
);
create index tool_agents_by_agent on tool_agents (organization_id, agent_id);
create trigger tool_agent_moves_the_epoch after insert or update or delete on tool_agents
  for each row execute function svc_part_of_agent_changed();
comment on table tool_agents is 'Agents authorized for a tool; apart from holding its capability.';
