-- Rules that open incidents. The worker leaves what they find in incident_matches, in the transaction that moves its position in the event
-- feed; one job opens incidents from it.
create table incident_rules (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  name text not null,
  condition text not null,
  score integer,
  code text,
  key text not null,
  count integer not null,
  within_seconds integer not null,
  severity text not null,
  contain text,
  reopen_minutes integer not null,
  enabled boolean not null default true,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint incident_rules_severity_is_known check (severity in ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  constraint incident_rules_key_is_known check (key in ('AGENT', 'TOOL', 'ENVIRONMENT', 'MCP_SERVER')),
  constraint incident_rules_contain_is_known check (contain is null or (contain = 'PAUSE_AGENT' and key = 'AGENT')),
  constraint incident_rules_count_is_positive check (count > 0 and within_seconds > 0)
);
comment on table incident_rules is 'Rules of environments that open incidents.';
comment on column incident_rules.key is 'Findings are grouped by it: one open incident for each.';
comment on column incident_rules.contain is 'PAUSE_AGENT pauses the agent of the key.';
create index incident_rules_of_an_environment on incident_rules (organization_id, environment_id);

create table incident_rule_windows (
  organization_id text not null,
  rule_id text not null,
  key_value text not null,
  found_at jsonb not null,
  last_at timestamptz not null,
  primary key (organization_id, rule_id, key_value)
);
comment on table incident_rule_windows is 'Times of the newest findings of rules that count, at most as many as the rule counts.';

create table incident_matches (
  organization_id text not null,
  rule_id text not null,
  key_value text not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  first_event_id text not null,
  last_event_id text not null,
  event_type text not null,
  primary key (organization_id, rule_id, key_value)
);
comment on table incident_matches is 'Findings of rules that no job has taken into an incident yet.';

alter table incidents add column agent_paused_at timestamptz;
comment on column incidents.agent_paused_at is 'Time at which the rule paused the agent; null if it paused none.';
create index incidents_that_paused_agents on incidents (organization_id, agent_paused_at) where agent_paused_at is not null;
create index incidents_by_rules on incidents (organization_id, rule_id, rule_key, created_at desc) where rule_id is not null;

select svc_guard('incident_rules', array['svc_app']);
select svc_guard('incident_rule_windows', array['svc_app']);
select svc_guard('incident_matches', array['svc_app']);
grant select, insert, update, delete on incident_rules to svc_app;
grant select, delete on incident_rule_windows, incident_matches to svc_app;
grant update on incident_matches to svc_app;
create policy incident_rules_followed on incident_rules for select to svc_reader using (true);
create policy incident_rule_windows_followed on incident_rule_windows for all to svc_reader using (true) with check (true);
create policy incident_matches_left on incident_matches for all to svc_reader using (true) with check (true);
grant select on incident_rules to svc_reader;
grant select, insert, update on incident_rule_windows, incident_matches to svc_reader;
create policy incident_matches_found on incident_matches for select to svc_identity using (true);
grant select (organization_id) on incident_matches to svc_identity;
