-- A provider that speaks SAML 2.0 has an address to be sent to and certificates in place of a client.
alter table sso_connections alter column client_id drop not null;
alter table sso_connections add column sso_url text;
alter table sso_connections add column certificates text[] not null default '{}';
alter table sso_connections add constraint sso_connections_are_of_their_kind check (
  case kind
    when 'SAML' then client_id is null and sealed_client_secret is null and sso_url is not null and cardinality(certificates) between 1 and 2
    else client_id is not null and sso_url is null and cardinality(certificates) = 0
  end);
comment on column sso_connections.certificates is 'PEM, of the keys by which the provider signs assertions: two while one takes over from the other.';

-- Its answer comes from another site, without the cookie of the browser that began: it waits, sealed, until that browser comes for it.
alter table sso_attempts add column request_hash bytea;
alter table sso_attempts add column answered_at timestamptz;
alter table sso_attempts add column sealed_answer bytea;
comment on column sso_attempts.request_hash is 'SHA-256 of the id of the request that the answer has to name (InResponseTo); null with OpenID Connect.';
comment on column sso_attempts.answered_at is 'When an answer was taken up, before it was read: there is no second one.';

create table sso_assertions (
  organization_id text not null,
  connection_id text not null,
  assertion_hash bytea not null,
  expires_at timestamptz not null,
  primary key (organization_id, connection_id, assertion_hash)
);
create index sso_assertions_by_end on sso_assertions (expires_at);
comment on table sso_assertions is 'Assertions that were used, by the SHA-256 of their id, for as long as they could be used.';
alter table sso_assertions enable row level security;
alter table sso_assertions force row level security;
create policy sso_assertions_of_nobody on sso_assertions for all to svc_identity using (true) with check (true);
grant select, insert, update, delete on sso_assertions to svc_identity;
