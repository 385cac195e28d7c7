-- The tenant of the running transaction; row-level security compares every tenant row with it.
create function svc_organization() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('svc.organization_id', true), '') $$;

-- A narrower scope inside the tenant, or null for all of it.
create function svc_workspace() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('svc.workspace_id', true), '') $$;
create function svc_environment() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('svc.environment_id', true), '') $$;

create table organizations (
  id text primary key,
  name text not null,
  require_mfa boolean not null default false,
  base_currency text not null default 'USD',
  time_zone text not null default 'UTC',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint organizations_base_currency_is_iso_4217 check (base_currency ~ '^[A-Z]{3}$')
);
comment on table organizations is 'A tenant. Every other tenant row names its organization in its key.';

create table users (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  constraint users_email_is_lower_case check (email = lower(email)),
  constraint users_email_is_unique unique (email)
);
comment on table users is 'A person, whatever the organizations they belong to.';

create table members (
  organization_id text not null references organizations (id),
  id text not null,
  user_id text not null references users (id),
  role_id text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint members_are_once_per_organization unique (organization_id, user_id)
);
create index members_by_user on members (user_id);
comment on table members is 'A person''s membership of an organization, with the role they act in.';

create table sessions (
  organization_id text not null references organizations (id),
  id text not null,
  user_id text not null references users (id),
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  stepped_up_until timestamptz,
  revoked_at timestamptz,
  source_ip text,
  user_agent text,
  primary key (organization_id, id),
  constraint sessions_token_hash_is_unique unique (token_hash)
);
comment on table sessions is 'A signed-in person. Only the SHA-256 of the token is kept.';

create table api_keys (
  organization_id text not null references organizations (id),
  id text not null,
  workspace_id text,
  name text not null,
  role_id text not null,
  token_hash bytea not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id),
  constraint api_keys_token_hash_is_unique unique (token_hash)
);
comment on table api_keys is 'A bearer key that acts in a role. Only the SHA-256 of the token is kept.';

create table sign_in_failures (
  key text primary key,
  failures integer not null,
  first_failed_at timestamptz not null,
  locked_until timestamptz
);
create index sign_in_failures_by_age on sign_in_failures (first_failed_at);
comment on table sign_in_failures is 'Failed proofs per account and per source address; the lockout rests on it.';

create table setup_links (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
comment on table setup_links is 'The one-time link a first start prints; dead as soon as an organization exists.';

create table workspaces (
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  slug text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint workspaces_slug_is_unique unique (organization_id, slug)
);
comment on table workspaces is 'A part of an organization.';

create table environments (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  name text not null,
  type text not null,
  mode text not null default 'ENFORCE',
  paused_at timestamptz,
  paused_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint environments_belong_to_a_workspace foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  constraint environments_name_is_unique unique (organization_id, workspace_id, name),
  constraint environments_type_is_known check (type in ('DEVELOPMENT', 'STAGING', 'PRODUCTION')),
  constraint environments_mode_is_known check (mode in ('OBSERVE', 'SIMULATE', 'ENFORCE')),
  constraint environments_pause_is_whole check ((paused_at is null) = (paused_reason is null))
);
comment on table environments is 'Where agents act; the enforcement mode lives here.';

create table environment_epochs (
  organization_id text not null,
  environment_id text not null,
  workspace_id text not null,
  epoch bigint not null default 1,
  primary key (organization_id, environment_id),
  constraint environment_epochs_belong_to_an_environment foreign key (organization_id, environment_id)
    references environments (organization_id, id)
) with (fillfactor = 50);
comment on table environment_epochs is 'Moves with each change of what a decision in this environment reads; recording a decision compares it. Not narrowed by scope, so that a narrow caller still moves all it touches.';

create function svc_bump_environment(organization text, environment text) returns void language plpgsql as $$
begin
  update environment_epochs e set epoch = e.epoch + 1 where e.organization_id = organization and e.environment_id = environment;
  perform pg_notify('svc_epochs', environment);
end $$;

create function svc_environment_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into environment_epochs (organization_id, environment_id, workspace_id) values (new.organization_id, new.id, new.workspace_id);
  else
    perform svc_bump_environment(new.organization_id, new.id);
  end if;
  return null;
end $$;
create trigger environment_moves_its_epoch after insert or update on environments
  for each row execute function svc_environment_changed();

create function svc_organization_changed() returns trigger language plpgsql as $$
begin
  -- Always in the same order, so that two changes at the same moment wait for each other and never in a circle.
  perform svc_bump_environment(e.organization_id, e.environment_id) from (
    select organization_id, environment_id from environment_epochs where organization_id = new.id order by environment_id) e;
  return null;
end $$;
create trigger organization_moves_every_epoch_below after update on organizations
  for each row execute function svc_organization_changed();

create table idempotency_keys (
  organization_id text not null references organizations (id),
  principal_id text not null,
  operation text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  body json,
  created_at timestamptz not null default now(),
  primary key (organization_id, principal_id, operation, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
comment on table idempotency_keys is 'The first answer to an Idempotency-Key, written in the transaction of the change it answers.';

create table platform_keys (
  key_id text primary key,
  public_key text not null,
  private_key_sealed bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);
comment on table platform_keys is 'Ed25519 keys the service signs agent tokens and passports with; the private part is sealed by the master key.';

create table audit_events (
  organization_id text not null,
  id text not null,
  type text not null,
  occurred_at timestamptz not null,
  workspace_id text,
  environment_id text,
  actor_type text not null,
  actor_id text not null,
  actor_name text,
  subject_type text not null,
  subject_id text not null,
  severity text not null,
  request_id text not null,
  trace_id text not null,
  data json not null,
  primary key (organization_id, id)
);
create index audit_events_by_subject on audit_events (organization_id, subject_id, id);
comment on table audit_events is 'What happened, written in the transaction of the change. No role of the service may change or delete a row.';
