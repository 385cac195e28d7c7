-- Who is provisioned by a provider or a directory has no password until they set one.
alter table users alter column password_hash drop not null;
comment on column users.password_hash is 'Null for a person who has no password: every one is wrong for them.';

create table sso_connections (
  organization_id text not null references organizations (id),
  id text not null,
  kind text not null,
  name text not null,
  status text not null default 'ACTIVE',
  issuer text not null,
  client_id text not null,
  sealed_client_secret bytea,
  scopes text[] not null,
  jit boolean not null,
  default_role_id text,
  role_claim text,
  role_mapping jsonb not null,
  trusts_mfa boolean not null,
  enforce boolean not null default false,
  break_glass_user_id text references users (id),
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint sso_connections_id_is_unique unique (id),
  constraint sso_connections_name_is_unique unique (organization_id, name),
  constraint sso_connections_kind_is_known check (kind in ('OIDC', 'SAML')),
  constraint sso_connections_status_is_known check (status in ('ACTIVE', 'DISABLED'))
);
comment on table sso_connections is 'A provider by which members of an organization sign in. Its issuer never changes: identities are told by it.';

create table sso_domains (
  organization_id text not null,
  domain text not null,
  connection_id text not null,
  challenge text not null,
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, domain),
  constraint sso_domains_are_lower_case check (domain = lower(domain)),
  constraint sso_domains_are_of_a_connection foreign key (organization_id, connection_id)
    references sso_connections (organization_id, id) on delete cascade
);
create unique index sso_domains_are_verified_once on sso_domains (domain) where verified_at is not null;
create index sso_domains_by_connection on sso_domains (organization_id, connection_id);
comment on table sso_domains is 'Domains of e-mail addresses that an organization claims. It has those that are verified, which are nobody else''s.';

create table sso_identities (
  organization_id text not null,
  id text not null,
  connection_id text not null,
  subject text not null,
  user_id text not null references users (id),
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint sso_identities_subject_is_unique unique (organization_id, connection_id, subject),
  constraint sso_identities_are_of_a_connection foreign key (organization_id, connection_id)
    references sso_connections (organization_id, id) on delete cascade
);
create index sso_identities_by_user on sso_identities (organization_id, user_id);
comment on table sso_identities is 'Who a subject of a provider is in one organization. Never told by e-mail address.';

-- Sign-ins that went to a provider and have not come back; kept by hashes, so that nothing in it is of use to whoever reads it.
create table sso_attempts (
  state_hash bytea primary key,
  browser_hash bytea not null,
  organization_id text not null,
  connection_id text not null,
  redirect_uri text not null,
  link_user_id text,
  link_session_id text,
  return_to text,
  expires_at timestamptz not null
);
create index sso_attempts_by_end on sso_attempts (expires_at);
comment on table sso_attempts is 'A sign-in at a provider under way: taken once, by the browser that began it.';

-- By which connection a session was opened, known before the session is there where a second factor is asked first.
create table sso_sessions (
  organization_id text not null references organizations (id),
  session_id text not null,
  connection_id text not null,
  user_id text not null references users (id),
  primary key (organization_id, session_id)
);
create index sso_sessions_by_user on sso_sessions (organization_id, user_id);
comment on table sso_sessions is 'Sessions opened by a connection: accepted only while it is active, and in no other organization.';

-- Whose account it was that a directory or a provider made: of these alone an identity may be taken for a person by the address they were made with.
alter table members add column provisioned_by text;
comment on column members.provisioned_by is 'SSO or SCIM where the person was made by the organization''s provider or directory; null where they came by themselves.';

select svc_guard('sso_connections', array['svc_app']);
select svc_guard('sso_domains', array['svc_app']);
select svc_guard('sso_identities', array['svc_app']);
select svc_guard('sso_sessions', array['svc_app']);
grant select, insert, update, delete on sso_connections, sso_domains, sso_identities to svc_app;
grant select, insert on sso_sessions to svc_app;

-- Before a tenant is known: which connection a domain belongs to, and whether one is still there.
do $$
declare
  t text;
begin
  foreach t in array array['sso_connections', 'sso_domains', 'sso_identities', 'sso_sessions']
  loop
    execute format('create policy %I on %I for select to svc_identity using (true)', t || '_of_callers', t);
  end loop;
end $$;
alter table sso_attempts enable row level security;
alter table sso_attempts force row level security;
create policy sso_attempts_of_nobody on sso_attempts for all to svc_identity using (true) with check (true);
grant select on sso_connections, sso_domains, sso_sessions to svc_identity;
grant select (organization_id, id, user_id) on sso_identities to svc_identity;
grant select, insert, update, delete on sso_attempts to svc_identity;
