-- Whoever makes the call of an action holds it until this moment by the clock of the database: as long as the call may take and its outcome
-- may be tried to be recorded. Who sweeps needs to know no gateway's settings. Rows of the release before have none.
alter table actions add column held_until timestamptz;
comment on column actions.held_until is 'The lease of the gateway that executes the action; what is past it was left behind.';
create index actions_held on actions (held_until) where status = 'EXECUTING';
drop index actions_in_execution;
grant select (held_until) on actions to svc_identity;
grant update (held_until) on actions to svc_gateway;

-- Outcomes of several tenants are recorded in one statement, by who records their decisions: it closes what is in execution, changes nothing
-- else of it, and nothing of what was closed. Said so that the planner does not take it for the condition of the index above: a plan that is
-- kept would read that whole for each batch, with all that has left it since it was last cleaned up.
create policy actions_closed on actions for update to svc_recorder
  using (status || '' = 'EXECUTING') with check (status in ('COMPLETED', 'FAILED', 'UNKNOWN', 'OBSERVED'));
grant select (agent_id, status, completed_at), update (status, code, execution, completed_at) on actions to svc_recorder;

-- How far the actions and the used approvals of an organization were looked through for what agents never reported.
create table unreported_marks (
  organization_id text primary key references organizations (id),
  action_id text not null default '',
  consumed_at timestamptz not null default '-infinity'
);
comment on table unreported_marks is 'Actions that agents execute themselves are closed in the order they were made in; everything before the mark was.';
alter table unreported_marks enable row level security;
alter table unreported_marks force row level security;
create policy unreported_marks_of_the_tenant on unreported_marks for all to svc_app
  using (organization_id = svc_organization()) with check (organization_id = svc_organization());
create policy unreported_marks_swept on unreported_marks for select to svc_identity using (true);
grant select, insert, update on unreported_marks to svc_app;
grant select on unreported_marks to svc_identity;
grant select (id) on actions to svc_identity;
grant select (consumed_at) on approvals to svc_identity;
create index approvals_by_use on approvals (organization_id, consumed_at) where consumed_at is not null;
