-- What controls were when a job last looked, so that a change of one is told.
create table compliance_judgements (
  organization_id text primary key references organizations (id),
  states jsonb not null default '{}',
  judged_at timestamptz not null
);
comment on table compliance_judgements is 'The states of compliance controls when a job last looked at the organization.';
comment on column compliance_judgements.states is 'By the name of the control: its state and since when it is so. Empty before the first look.';
select svc_guard('compliance_judgements', array['svc_app']);
grant select, insert, update on compliance_judgements to svc_app;
create policy compliance_judgements_due on compliance_judgements for select to svc_identity using (true);
grant select (organization_id, judged_at) on compliance_judgements to svc_identity;
