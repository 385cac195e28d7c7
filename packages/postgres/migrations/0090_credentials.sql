-- Under the data key of an organization its secrets are sealed, and under the master key the data keys are: so that whoever changes the master
-- key seals few things anew.
create table data_keys (
  organization_id text primary key references organizations (id),
  wrapped_key bytea not null,
  created_at timestamptz not null default now()
);
comment on table data_keys is 'What the secrets of an organization are sealed under.';
comment on column data_keys.wrapped_key is 'The data key, sealed under a key of the master key for this organization.';
select svc_guard('data_keys', array['svc_app', 'svc_gateway']);
grant select, insert on data_keys to svc_app;
grant select (organization_id, wrapped_key) on data_keys to svc_gateway;

-- What the gateway proves itself with to services; no agent ever has it.
create table credentials (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  name text not null,
  description text not null,
  scheme text not null,
  placement jsonb not null,
  destinations text[] not null,
  tools text[] not null,
  status text not null default 'ACTIVE',
  revoked_reason text,
  generation integer not null default 1,
  sealed_secret bytea,
  sealed_previous_secret bytea,
  previous_ends_at timestamptz,
  rotated_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint credentials_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint credentials_name_is_unique unique (organization_id, environment_id, name),
  constraint credentials_scheme_is_known check (scheme in ('BEARER', 'HEADER', 'BASIC', 'BODY_FIELD', 'QUERY')),
  constraint credentials_status_is_known check (status in ('ACTIVE', 'REVOKED')),
  -- What is revoked is not kept.
  constraint credentials_hold_a_secret_while_active check ((status = 'ACTIVE') = (sealed_secret is not null)),
  constraint credentials_revoked_for_a_reason check ((status = 'REVOKED') = (revoked_reason is not null)),
  constraint credentials_previous_is_whole check ((sealed_previous_secret is null) = (previous_ends_at is null))
);
comment on table credentials is 'Secrets that the gateway sends to services, for the destinations and tools that each names.';
comment on column credentials.placement is 'Where in a request the secret stands; its members depend on the scheme.';
comment on column credentials.tools is 'Names of the tools it may serve.';
comment on column credentials.generation is 'Moves with each rotation.';
comment on column credentials.sealed_secret is 'Sealed under the data key of the organization, for this row and generation.';
comment on column credentials.sealed_previous_secret is 'The secret before the last rotation, until previous_ends_at.';
select svc_guard('credentials', array['svc_app', 'svc_gateway']);
grant select, insert, update on credentials to svc_app;
grant select (organization_id, environment_id, workspace_id, id, scheme, placement, destinations, tools, generation, sealed_secret, sealed_previous_secret, previous_ends_at)
  on credentials to svc_gateway;
create trigger credential_moves_the_epoch after insert or update or delete on credentials
  for each row execute function svc_part_of_environment_changed();
