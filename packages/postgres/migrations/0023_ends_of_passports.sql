-- A passport is renewed before it ends, and its end is told once. Only those whose end is still to come are looked at for either.
alter table passports add column end_pending boolean not null default true;
comment on column passports.end_pending is 'Whether its end is still to come: no other version took its place, and that it ended was not told.';
-- The owner sees rows only while row-level security is not forced on it.
alter table passports no force row level security;
alter table agents no force row level security;
update passports p set end_pending = false
  from agents a where a.organization_id = p.organization_id and a.id = p.agent_id and a.passport_version <> p.version;
alter table passports force row level security;
alter table agents force row level security;
create index passports_by_pending_end on passports (expires_at) where end_pending;
grant update (end_pending) on passports to svc_app;

-- What a clock does for every tenant: svc_identity learns where there is work, svc_app does it tenant by tenant.
create policy passports_swept on passports for select to svc_identity using (true);
grant select (organization_id, agent_id, version, issued_at, expires_at, end_pending) on passports to svc_identity;
grant select (status, passport_version) on agents to svc_identity;
