-- One open risk event per agent, signal and subject. The worker leaves what it saw in risk_notices; one job makes events of them.
create table risk_events (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  agent_id text not null,
  signal text not null,
  subject text not null,
  points integer not null,
  score integer not null,
  sentence text not null,
  evidence jsonb not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  last_action_id text,
  status text not null default 'OPEN',
  verdict text,
  comment text,
  acknowledged_by text,
  acknowledged_at timestamptz,
  primary key (organization_id, id),
  constraint risk_events_status_is_known check (status in ('OPEN', 'ACKNOWLEDGED', 'STALE')),
  constraint risk_events_verdict_is_known check (verdict in ('EXPECTED', 'FALSE_ALARM', 'CONFIRMED')),
  constraint risk_events_verdict_belongs_to_an_end check ((status = 'ACKNOWLEDGED') = (verdict is not null))
);
comment on table risk_events is 'What risk signals found, one open row per agent, signal and subject, counted up.';
create unique index risk_events_open_once on risk_events (organization_id, agent_id, signal, subject) where status = 'OPEN';
create index risk_events_by_last on risk_events (organization_id, last_at desc);
create index risk_events_stale on risk_events (last_at) where status = 'OPEN';

create table risk_notices (
  organization_id text not null,
  agent_id text not null,
  workspace_id text not null,
  environment_id text not null,
  signal text not null,
  subject text not null,
  points integer not null,
  score integer not null,
  sentence text not null,
  evidence jsonb not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  last_action_id text,
  primary key (organization_id, agent_id, signal, subject)
);
comment on table risk_notices is 'Findings of risk signals that are not yet counted in risk events.';

-- Exceptions of signals, each with an end.
create table risk_mutes (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  agent_id text not null,
  signal text not null,
  subject text not null,
  muted_until timestamptz not null,
  risk_event_id text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (organization_id, agent_id, signal, subject)
);
comment on table risk_mutes is 'Exceptions of risk signals for one agent and subject, until a time.';

select svc_guard('risk_events', array['svc_app']);
select svc_guard('risk_notices', array['svc_app']);
select svc_guard('risk_mutes', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on risk_events, risk_notices, risk_mutes to svc_app;
grant select on risk_mutes to svc_gateway;
create policy risk_notices_left on risk_notices for all to svc_reader using (true) with check (true);
grant select, insert, update on risk_notices to svc_reader;
create policy risk_notices_found on risk_notices for select to svc_identity using (true);
grant select (organization_id) on risk_notices to svc_identity;
create policy risk_events_found on risk_events for select to svc_identity using (true);
grant select (organization_id, status, last_at) on risk_events to svc_identity;
-- A verdict can end the risk of an agent: the job of a person's verdict changes its history.
grant update on agent_conduct to svc_app;
