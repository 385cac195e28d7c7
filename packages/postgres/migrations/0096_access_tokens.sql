-- Where access tokens come from, where the secret of a credential is not what is sent.
alter table credentials add column oauth jsonb;
comment on column credentials.oauth is 'Token endpoint, client and scope where access tokens are sent; null where the secret itself is. The sealed secret is then what the client proves itself with.';
grant select (oauth, name) on credentials to svc_gateway;

-- Beside the credential, not in it: what is refreshed moves no epoch, so that no gateway reads an environment anew for it.
create table credential_tokens (
  organization_id text not null,
  credential_id text not null,
  workspace_id text not null,
  environment_id text not null,
  state text not null,
  version integer not null default 0,
  sealed_refresh_token bytea,
  sealed_access_token bytea,
  access_ends_at timestamptz,
  granted_scope text,
  connected_by text,
  connected_at timestamptz,
  refreshed_at timestamptz,
  lease_id text,
  leased_until timestamptz,
  lease_began_at timestamptz,
  failures integer not null default 0,
  failure text,
  retry_at timestamptz,
  primary key (organization_id, credential_id),
  constraint credential_tokens_are_of_a_credential foreign key (organization_id, credential_id) references credentials (organization_id, id),
  constraint credential_tokens_state_is_known check (state in ('UNCONNECTED', 'CONNECTED', 'ERROR')),
  constraint credential_tokens_access_is_whole check ((sealed_access_token is null) = (access_ends_at is null)),
  constraint credential_tokens_lease_is_whole check ((lease_id is null) = (leased_until is null))
);
create index credential_tokens_by_lease on credential_tokens (organization_id, lease_began_at);
comment on table credential_tokens is 'Refresh and access tokens of credentials, one row each. Whoever refreshes one has a lease on its row, and no connection meanwhile.';
comment on column credential_tokens.version is 'Moves whenever tokens are stored, and with the lease decides who may store some; tokens are sealed for it.';
comment on column credential_tokens.lease_id is 'Of whoever asks the token endpoint now, until leased_until.';
comment on column credential_tokens.lease_began_at is 'When the last refresh was begun.';
comment on column credential_tokens.failures is 'Refreshes that failed in a row.';
comment on column credential_tokens.failure is 'Why, in a word of the service.';
select svc_guard('credential_tokens', array['svc_app', 'svc_gateway']);
grant select, insert, update on credential_tokens to svc_app;
grant select on credential_tokens to svc_gateway;
-- Nothing of what it belongs to, nor who connected it.
grant update (state, version, sealed_refresh_token, sealed_access_token, access_ends_at, granted_scope, refreshed_at, lease_id, leased_until,
  lease_began_at, failures, failure, retry_at) on credential_tokens to svc_gateway;

-- Which of them have something to do is looked for before a tenant is known; the tokens themselves are not seen there.
create policy credential_tokens_of_callers on credential_tokens for select to svc_identity using (true);
grant select (organization_id, credential_id, state, version, refreshed_at, leased_until, failures, retry_at) on credential_tokens to svc_identity;

-- Connections in the browser that have not come back; kept by hashes, so that nothing in it is of use to whoever reads it.
create table credential_attempts (
  organization_id text not null,
  state_hash bytea not null,
  browser_hash bytea not null,
  credential_id text not null,
  user_id text not null,
  session_id text not null,
  redirect_uri text not null,
  expires_at timestamptz not null,
  primary key (organization_id, state_hash),
  constraint credential_attempts_are_of_a_credential foreign key (organization_id, credential_id) references credentials (organization_id, id)
);
create index credential_attempts_by_end on credential_attempts (expires_at);
create index credential_attempts_by_person on credential_attempts (organization_id, user_id);
comment on table credential_attempts is 'A connection in the browser under way: taken once, by the browser and for the session that began it.';
select svc_guard('credential_attempts', array['svc_app']);
grant select, insert, delete on credential_attempts to svc_app;
-- Its organization is known by it alone.
create policy credential_attempts_of_callers on credential_attempts for all to svc_identity using (true) with check (true);
grant select, delete on credential_attempts to svc_identity;
