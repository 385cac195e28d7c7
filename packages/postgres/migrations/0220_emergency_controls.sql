-- Destinations that no call of an organization goes to. Every decision of the organization reads them, so a change moves the epochs of all its
-- environments, once for all rows of a statement.
create table blocked_destinations (
  organization_id text not null,
  id text not null,
  pattern text not null,
  kind text not null,
  host text not null,
  port integer,
  reason text not null,
  incident_id text,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (organization_id, id),
  constraint blocked_destinations_are_unique unique (organization_id, pattern),
  constraint blocked_destinations_kind_is_known check (kind in ('HOST', 'SUBDOMAINS', 'NETWORK')),
  constraint blocked_destinations_port_is_one check (port between 1 and 65535)
);
comment on table blocked_destinations is 'Destinations that an emergency control blocks for the whole organization.';
comment on column blocked_destinations.pattern is 'The destination in its one spelling: a host, *.host or a network, with an optional port.';
comment on column blocked_destinations.host is 'The normalised host, the host below which names are blocked, or the network in CIDR form.';
comment on column blocked_destinations.port is 'Null blocks every port.';
comment on column blocked_destinations.expires_at is 'The block ends at this time by itself; null for one that a person lifts.';
select svc_guard('blocked_destinations', array['svc_app', 'svc_gateway']);
grant select, insert, delete on blocked_destinations to svc_app;
grant select on blocked_destinations to svc_gateway;

create function svc_blocked_destinations_changed() returns trigger language plpgsql as $$
begin
  perform svc_bump_environment(e.organization_id, e.environment_id) from (
    select organization_id, environment_id from environment_epochs
     where organization_id in (select organization_id from changed) order by organization_id, environment_id) e;
  return null;
end $$;
revoke all on function svc_blocked_destinations_changed from public;
create trigger new_blocks_move_the_epochs after insert on blocked_destinations
  referencing new table as changed for each statement execute function svc_blocked_destinations_changed();
create trigger deleted_blocks_move_the_epochs after delete on blocked_destinations
  referencing old table as changed for each statement execute function svc_blocked_destinations_changed();

-- Incidents, the things that they are about, and what happened.
create table incidents (
  organization_id text not null,
  id text not null,
  workspace_id text,
  environment_id text,
  title text not null,
  description text not null default '',
  severity text not null,
  status text not null default 'OPEN',
  subjects jsonb not null default '[]',
  owner_id text,
  drill boolean not null default false,
  opened_by_type text not null,
  opened_by_id text not null,
  rule_id text,
  rule_key text,
  matches integer not null default 1,
  resolution text,
  duplicate_of text,
  summary text,
  left_in_force text[] not null default '{}',
  acknowledged_at timestamptz,
  contained_at timestamptz,
  resolved_at timestamptz,
  closed_at timestamptz,
  report jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint incidents_severity_is_known check (severity in ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  constraint incidents_status_is_known check (status in ('OPEN', 'CONTAINED', 'RESOLVED', 'CLOSED')),
  constraint incidents_resolution_is_known check (resolution in ('FIXED', 'FALSE_ALARM', 'ACCEPTED', 'DUPLICATE'))
);
comment on table incidents is 'Incidents, opened by people or by rules.';
comment on column incidents.subjects is 'The agents, tools, environments and other things that it is about: type and id.';
comment on column incidents.rule_id is 'The rule that opened it; null for one that a person opened.';
comment on column incidents.rule_key is 'The agent, tool or environment that the rule found.';
comment on column incidents.matches is 'How often the rule matched.';
comment on column incidents.acknowledged_at is 'Time of the first action of a person on it.';
comment on column incidents.left_in_force is 'Containment steps that stay in force after it was resolved.';
comment on column incidents.report is 'The report as it was when the incident was closed.';
create index incidents_newest on incidents (organization_id, created_at desc, id);
create unique index incidents_one_of_a_rule_and_key on incidents (organization_id, environment_id, rule_id, rule_key)
  where status in ('OPEN', 'CONTAINED') and rule_id is not null;

create table incident_subjects (
  organization_id text not null,
  incident_id text not null,
  subject_id text not null,
  primary key (organization_id, subject_id, incident_id),
  constraint incident_subjects_are_of_an_incident foreign key (organization_id, incident_id) references incidents (organization_id, id) on delete cascade
);
comment on table incident_subjects is 'Ids whose events belong to the timeline of an incident that is not closed.';

create table incident_entries (
  organization_id text not null,
  workspace_id text,
  environment_id text,
  incident_id text not null,
  id text not null,
  at timestamptz not null,
  kind text not null,
  fold_key text,
  event_id text,
  pinned boolean not null default false,
  count integer not null default 1,
  last_at timestamptz not null,
  data jsonb not null default '{}',
  primary key (organization_id, incident_id, id),
  constraint incident_entries_are_of_an_incident foreign key (organization_id, incident_id) references incidents (organization_id, id) on delete cascade,
  constraint incident_entries_kind_is_known check (kind in ('NOTE', 'STEP', 'EVENT', 'RULE'))
);
comment on table incident_entries is 'The timeline of an incident: notes, containment steps and events.';
comment on column incident_entries.fold_key is 'Events of the same key are one entry with a count.';
comment on column incident_entries.event_id is 'The first event of the entry.';
create unique index incident_entries_fold on incident_entries (organization_id, incident_id, fold_key) where fold_key is not null;
create index incident_entries_in_order on incident_entries (organization_id, incident_id, at, id);

-- Executions of emergency controls. Those of an incident are its containment steps.
create table emergency_executions (
  organization_id text not null,
  id text not null,
  workspace_id text,
  environment_id text,
  control text not null,
  target_type text not null,
  target_id text not null,
  target_name text not null,
  confirmed integer not null,
  actual integer not null,
  outcome text not null,
  reason text not null,
  drill boolean not null default false,
  incident_id text,
  executed_by_type text not null,
  executed_by_id text not null,
  executed_at timestamptz not null,
  took_ms integer not null,
  primary key (organization_id, id),
  constraint emergency_executions_outcome_is_known check (outcome in ('CHANGED', 'UNCHANGED')),
  constraint emergency_executions_control_is_known check (control in
    ('isolate-agent', 'pause-environment', 'disable-tool', 'block-destination', 'revoke-sessions'))
);
comment on table emergency_executions is 'Executions of emergency controls and drills of them.';
comment on column emergency_executions.confirmed is 'The number that the person confirmed.';
comment on column emergency_executions.actual is 'The number at the time of the change.';
create index emergency_executions_of_an_incident on emergency_executions (organization_id, incident_id, id) where incident_id is not null;
create index emergency_executions_newest on emergency_executions (organization_id, control, executed_at desc);

select svc_guard('incidents', array['svc_app']);
select svc_guard('incident_subjects', array['svc_app']);
select svc_guard('incident_entries', array['svc_app']);
select svc_guard('emergency_executions', array['svc_app']);
grant select, insert, update on incidents, incident_entries to svc_app;
grant select, insert, delete on incident_subjects to svc_app;
grant select, insert on emergency_executions to svc_app;

-- The feed consumer adds events of all tenants to the timelines of their incidents.
create policy incident_subjects_followed on incident_subjects for select to svc_reader using (true);
create policy incidents_followed on incidents for select to svc_reader using (true);
create policy incident_entries_followed on incident_entries for all to svc_reader using (true) with check (true);
grant select on incident_subjects to svc_reader;
grant select (organization_id, id, workspace_id, environment_id, status, drill, created_at) on incidents to svc_reader;
grant select, insert, update (count, last_at) on incident_entries to svc_reader;
