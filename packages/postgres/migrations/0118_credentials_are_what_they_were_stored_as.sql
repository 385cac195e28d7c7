-- An access token that another one took the place of is good until its end, so a service may still tell it: it is kept to be hidden, and is
-- sent no more. Tokens are sealed for a version, and a version without an access token may lie between.
alter table credential_tokens
  add column sealed_previous_access_token bytea,
  add column previous_access_version integer,
  add column previous_access_ends_at timestamptz,
  add constraint credential_tokens_previous_access_is_whole check (
    num_nulls(sealed_previous_access_token, previous_access_version, previous_access_ends_at) in (0, 3));
comment on column credential_tokens.sealed_previous_access_token is 'The access token before the present one, hidden until previous_access_ends_at; sealed for previous_access_version.';
grant update (sealed_previous_access_token, previous_access_version, previous_access_ends_at) on credential_tokens to svc_gateway;

-- What a credential may serve, and where, is said once. Its secret is sealed for that too, which whoever starts this version does with those
-- that were stored before.
revoke update on credentials from svc_app;
grant update (status, revoked_reason, generation, sealed_secret, sealed_previous_secret, previous_ends_at, rotated_at, oauth, updated_at)
  on credentials to svc_app;
comment on column credentials.sealed_secret is 'Sealed under the data key of the organization, for this row and generation, and for what the row says that it may serve.';
revoke update on credential_tokens from svc_app;
grant update (state, version, sealed_refresh_token, sealed_access_token, access_ends_at, sealed_previous_access_token, previous_access_version,
  previous_access_ends_at, granted_scope, connected_by, connected_at, refreshed_at, lease_id, leased_until, lease_began_at, failures, failure,
  retry_at) on credential_tokens to svc_app;
