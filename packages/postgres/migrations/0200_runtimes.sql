-- Runtimes that agents run in, what verification observed of them, and the enforcement status that follows. The configuration of a runtime is never
-- stored as it is: it contains secrets. Inspections keep classes, hosts and hashes.
create table runtimes (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  agent_id text,
  kind text not null,
  product text not null,
  name text not null,
  base_url text,
  status text not null default 'ACTIVE',
  fail_closed boolean not null default true,
  admin_access text not null default 'READ',
  settings jsonb not null default '{}',
  credential_id text,
  health text not null default 'UNKNOWN',
  health_detail text not null default '',
  health_at timestamptz,
  key_facts jsonb,
  evidence_since timestamptz not null,
  enforcement text not null default 'UNKNOWN',
  enforcement_reasons jsonb not null default '[]',
  enforcement_forecast jsonb not null default '[]',
  assessed_at timestamptz,
  falls_at timestamptz,
  next_verification_at timestamptz,
  operated jsonb,
  operate_due_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint runtimes_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint runtimes_are_of_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id),
  constraint runtimes_have_a_credential foreign key (organization_id, credential_id) references credentials (organization_id, id),
  constraint runtimes_name_is_unique unique (organization_id, environment_id, name),
  constraint runtimes_kind_is_known check (kind in ('WORKFLOW_AUTOMATION', 'WORKFLOW_AUTOMATION_MANAGED', 'MCP_CLIENT', 'API_PLATFORM', 'SDK_PROGRAM')),
  constraint runtimes_status_is_known check (status in ('ACTIVE', 'PAUSED', 'DISABLED', 'RECOVERING', 'DISCONNECTED')),
  constraint runtimes_admin_access_is_known check (admin_access in ('NONE', 'READ', 'OPERATE')),
  constraint runtimes_health_is_known check (health in ('UNKNOWN', 'HEALTHY', 'DEGRADED', 'UNAUTHORIZED', 'UNREACHABLE')),
  constraint runtimes_enforcement_is_known check (enforcement in ('BYPASSED', 'UNKNOWN', 'DETECTED', 'PARTIAL', 'ENFORCED'))
);
comment on table runtimes is 'Runtimes that agents run in.';
comment on column runtimes.evidence_since is 'Evidence from before this time does not count, such as that of another address.';
comment on column runtimes.enforcement_forecast is 'The current status and those to which it falls without new evidence: {from, status}. Readers take the one of their own time.';
comment on column runtimes.falls_at is 'When the status next falls; a job then writes the assessment and the event.';
comment on column runtimes.operated is 'The last PAUSE, DISABLE or RECOVER, and its result at the instance.';
comment on column runtimes.operate_due_at is 'When the instance is next asked to apply it, or whether it still does.';
create index runtimes_by_agent on runtimes (organization_id, agent_id) where agent_id is not null;
create index runtimes_by_fall on runtimes (falls_at) where falls_at is not null;
create index runtimes_by_verification on runtimes (next_verification_at) where next_verification_at is not null;
create index runtimes_by_operation on runtimes (operate_due_at) where operate_due_at is not null;

create table verification_runs (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  trigger text not null,
  state text not null default 'QUEUED',
  step text not null,
  cursor jsonb not null default '{}',
  canaries boolean not null default true,
  requests integer not null default 0,
  workflows integer not null default 0,
  findings integer not null default 0,
  tries integer not null default 0,
  due_at timestamptz not null,
  started_by text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  failure text,
  evidence_root text,
  status_before text,
  status_after text,
  primary key (organization_id, id),
  constraint verification_runs_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade,
  constraint verification_runs_state_is_known check (state in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'ABANDONED'))
);
comment on table verification_runs is 'Verification runs of runtimes. A run is a sequence of steps; what it still has to do is in step and cursor.';
comment on column verification_runs.due_at is 'When the next step may begin; a process that takes it moves this time into the future.';
create unique index verification_runs_one_under_way on verification_runs (organization_id, runtime_id) where state in ('QUEUED', 'RUNNING');
create index verification_runs_by_due on verification_runs (due_at) where state in ('QUEUED', 'RUNNING');
create index verification_runs_of_a_runtime on verification_runs (organization_id, runtime_id, id);

create table runtime_evidence (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  run_id text not null,
  seq integer not null,
  name text not null,
  holds boolean,
  observed_at timestamptz not null,
  source text not null,
  detail text not null,
  hash text not null,
  data jsonb not null default '{}',
  primary key (organization_id, run_id, seq),
  constraint runtime_evidence_is_of_a_run foreign key (organization_id, run_id) references verification_runs (organization_id, id) on delete cascade
);
comment on table runtime_evidence is 'Observations of verification runs. Never changed.';
create index runtime_evidence_by_name on runtime_evidence (organization_id, runtime_id, name, observed_at desc);

create table runtime_workflows (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  workflow_id text not null,
  name text not null,
  active boolean not null,
  archived boolean not null,
  version_id text,
  active_version_id text,
  hash text not null,
  changed_at timestamptz not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  last_run_id text,
  gone_at timestamptz,
  inventory jsonb not null,
  primary key (organization_id, runtime_id, workflow_id),
  constraint runtime_workflows_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade
);
comment on table runtime_workflows is 'Workflows of instances as they were last inspected. The workflow itself is not stored.';

create table runtime_findings (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  fingerprint text not null,
  kind text not null,
  severity text not null,
  status text not null default 'OPEN',
  dormant boolean not null default false,
  contained_by text,
  workflow jsonb,
  node jsonb,
  evidence jsonb not null default '{}',
  evidence_hash text not null,
  via jsonb not null default '[]',
  first_run_id text,
  last_run_id text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  resolved_at timestamptz,
  accepted_by text,
  accepted_at timestamptz,
  accepted_reason text,
  accepted_until timestamptz,
  accepted_hash text,
  acceptance_ended_at timestamptz,
  acceptance_ended_because text,
  primary key (organization_id, id),
  constraint runtime_findings_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade,
  constraint runtime_findings_are_unique unique (organization_id, runtime_id, fingerprint),
  constraint runtime_findings_severity_is_known check (severity in ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  constraint runtime_findings_status_is_known check (status in ('OPEN', 'ACCEPTED', 'RESOLVED'))
);
comment on table runtime_findings is 'Ways around the service that verification found.';
comment on column runtime_findings.fingerprint is 'SHA-256 over the kind, workflow, node and subject, so that later runs recognize it.';
comment on column runtime_findings.evidence_hash is 'What an acceptance is bound to: another hash ends it.';

create table runtime_assessments (
  organization_id text not null,
  id text not null default gen_random_uuid(),
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  at timestamptz not null,
  before text not null,
  status text not null,
  cause text not null,
  reasons jsonb not null,
  run_id text,
  primary key (organization_id, id),
  constraint runtime_assessments_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade
);
comment on table runtime_assessments is 'Changes of the enforcement status of runtimes.';
create index runtime_assessments_of_a_runtime on runtime_assessments (organization_id, runtime_id, at desc);
create index runtime_assessments_by_time on runtime_assessments (organization_id, at desc);

create table runtime_canaries (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  run_id text not null,
  name text not null,
  kind text not null,
  workflow_id text,
  planned_at timestamptz not null,
  outcome text,
  removed_at timestamptz,
  primary key (organization_id, runtime_id, name),
  constraint runtime_canaries_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade
);
comment on table runtime_canaries is 'Test workflows. The row is stored before the workflow is created, so that it is always removed.';
create index runtime_canaries_left on runtime_canaries (organization_id, runtime_id) where removed_at is null;

create table runtime_reports (
  organization_id text not null,
  id text not null default gen_random_uuid(),
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  source text not null,
  reported_by text not null,
  at timestamptz not null,
  body jsonb not null,
  hash text not null,
  primary key (organization_id, id),
  constraint runtime_reports_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade
);
comment on table runtime_reports is 'Configuration that clients, platforms and programs report, reduced to names, hosts, commands and hashes.';
create index runtime_reports_of_a_runtime on runtime_reports (organization_id, runtime_id, at desc);

-- A change of what decisions read of a runtime moves the epochs of its agents.
create function svc_runtime_changed() returns trigger language plpgsql as $$
declare
  moved text;
begin
  if tg_op = 'UPDATE' and row(old.agent_id, old.kind, old.name, old.status, old.fail_closed, old.settings, old.enforcement_forecast)
       is not distinct from row(new.agent_id, new.kind, new.name, new.status, new.fail_closed, new.settings, new.enforcement_forecast) then
    return null;
  end if;
  for moved in select distinct agent from unnest(array[case when tg_op <> 'INSERT' then old.agent_id end, case when tg_op <> 'DELETE' then new.agent_id end])
                 as agents (agent) where agent is not null order by 1 loop
    perform svc_bump_agent(case when tg_op = 'DELETE' then old.organization_id else new.organization_id end, moved);
  end loop;
  return null;
end $$;
revoke all on function svc_runtime_changed from public;
create trigger runtime_changed_moves_the_epoch after insert or update or delete on runtimes for each row execute function svc_runtime_changed();

-- What people decided is covered by digests in events; what verification renews is not.
create trigger changed_runtime_is_noted after insert or delete or update of workspace_id, environment_id, agent_id, kind, product, name, base_url, status,
  fail_closed, admin_access, settings, credential_id, created_by, created_at
  on runtimes for each row execute function svc_note_changed_record('runtime', 'organization_id', 'id');

select svc_guard('runtimes', array['svc_app', 'svc_gateway']);
select svc_guard('verification_runs', array['svc_app']);
select svc_guard('runtime_evidence', array['svc_app']);
select svc_guard('runtime_workflows', array['svc_app']);
select svc_guard('runtime_findings', array['svc_app']);
select svc_guard('runtime_assessments', array['svc_app']);
select svc_guard('runtime_canaries', array['svc_app']);
select svc_guard('runtime_reports', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on runtimes, verification_runs, runtime_workflows, runtime_findings, runtime_canaries to svc_app;
grant select, insert, delete on runtime_evidence, runtime_assessments, runtime_reports to svc_app;
grant select (organization_id, id, workspace_id, environment_id, agent_id, kind, name, status, fail_closed, settings, enforcement, enforcement_forecast)
  on runtimes to svc_gateway;

-- Jobs find what is due in all organizations, and nothing else of it.
create policy runtimes_that_are_due on runtimes for select to svc_identity using (true);
grant select (organization_id, id, status, falls_at, next_verification_at, operate_due_at) on runtimes to svc_identity;
create policy verification_runs_that_are_due on verification_runs for select to svc_identity using (true);
grant select (organization_id, id, state, due_at) on verification_runs to svc_identity;
