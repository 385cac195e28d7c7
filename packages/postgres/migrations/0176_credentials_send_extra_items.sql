-- A credential may send up to four secrets besides the first. Their positions are read by everybody who reads the credential; their values are
-- sealed together with the first secret, so that all of them are rotated and revoked at once. Like the other terms, the positions never change.
alter table credentials add column extras jsonb not null default '[]',
  add constraint credentials_extras_are_few check (jsonb_typeof(extras) = 'array' and jsonb_array_length(extras) <= 4);
comment on column credentials.extras is 'Positions of the other secrets in a request, in the order in which they are sealed.';
comment on column credentials.sealed_secret is 'Sealed under the data key of the organization, for this row and generation, and for what the row says that it may serve. The secrets of extra items are sealed with it.';
grant select (extras) on credentials to svc_gateway;
