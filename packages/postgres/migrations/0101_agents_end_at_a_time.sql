-- An agent may be given an end. From that moment on no decision lets it through, whether or not the clock's job has written so.
alter table agents add column expires_at timestamptz;
alter table agents add constraint agents_end_at_a_moment check (expires_at is null or isfinite(expires_at));
comment on column agents.expires_at is 'From when on it may not act; null where it has no end.';
create index agents_by_end on agents (expires_at) where expires_at is not null and status in ('ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED');

-- What is over gives its name back.
drop index agents_name_is_unique;
create unique index agents_name_is_unique on agents (organization_id, environment_id, name) where status not in ('REVOKED', 'DECOMMISSIONED', 'EXPIRED');

-- The clock's jobs learn where an agent has ended, or is about to.
grant select (expires_at, created_at) on agents to svc_identity;
