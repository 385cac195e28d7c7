-- Emergency access of people: the permissions of the role security in one session, for a limited time. Credentials are read with each request,
-- and the grant with them, so its end needs no job.
create table break_glass_grants (
  organization_id text not null,
  id text not null,
  user_id text not null,
  session_id text not null,
  mode text not null,
  status text not null,
  reason text not null,
  minutes integer not null,
  incident_id text,
  requested_at timestamptz not null,
  request_expires_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  expires_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  reviewed_by text,
  reviewed_at timestamptz,
  primary key (organization_id, id),
  constraint break_glass_grants_mode_is_known check (mode in ('TWO_PEOPLE', 'SELF_WITH_NOTICE')),
  constraint break_glass_grants_status_is_known check (status in ('PENDING', 'ACTIVE', 'DENIED', 'ENDED')),
  constraint break_glass_grants_end check (status <> 'ACTIVE' or expires_at is not null),
  constraint break_glass_grants_are_approved_by_others check (mode <> 'TWO_PEOPLE' or status <> 'ACTIVE' or decided_by <> user_id),
  constraint break_glass_grants_are_reviewed_by_others check (reviewed_by <> user_id)
);
comment on table break_glass_grants is 'Emergency access of people, requested, granted and ended.';
comment on column break_glass_grants.session_id is 'The one session that has the permissions.';
comment on column break_glass_grants.reviewed_by is 'The other person who reviewed a grant that its holder took alone.';
create unique index break_glass_grants_one_of_a_person on break_glass_grants (organization_id, user_id) where status in ('PENDING', 'ACTIVE');
create index break_glass_grants_newest on break_glass_grants (organization_id, requested_at desc, id);
create index break_glass_grants_of_sessions on break_glass_grants (session_id) where status = 'ACTIVE';

create table break_glass_settings (
  organization_id text primary key,
  mode text not null,
  updated_by text not null,
  updated_at timestamptz not null,
  constraint break_glass_settings_mode_is_known check (mode in ('TWO_PEOPLE', 'SELF_WITH_NOTICE'))
);
comment on table break_glass_settings is 'Rule of an organization for emergency access; none means that a second person approves.';

select svc_guard('break_glass_grants', array['svc_app']);
select svc_guard('break_glass_settings', array['svc_app']);
grant select, insert, update on break_glass_grants, break_glass_settings to svc_app;
create policy break_glass_grants_of_callers on break_glass_grants for select to svc_identity using (true);
grant select (organization_id, id, user_id, session_id, status, expires_at) on break_glass_grants to svc_identity;
