-- Who has no password (signed in elsewhere, or had it taken away) is signed in by none.
alter table users
  alter column password_hash drop not null,
  add column password_changed_at timestamptz not null default now(),
  add column password_is_short boolean not null default false,
  add column session_epoch integer not null default 0;
comment on column users.password_changed_at is 'Since when the password is this one.';
comment on column users.password_is_short is 'Whether it is shorter than one has to be that is the only proof: it holds beside a second factor alone.';
comment on column users.session_epoch is 'Moves when every session of the person ends, in whichever organization.';

-- An administrator ends what is of their organization, and nothing of the others that a member belongs to.
alter table members
  add column session_epoch integer not null default 0,
  add column sign_ins_since timestamptz,
  add column password_since timestamptz;
comment on column members.session_epoch is 'Moves when every session of the member in this organization ends.';
comment on column members.sign_ins_since is 'Nobody switches into the organization from a sign-in that began before; null for no bound.';
comment on column members.password_since is 'A password that was set before lets nobody into the organization; null for no bound.';

-- A session is of the epochs under which it was opened. What was proved before one of them moved opens none that is accepted.
alter table sessions
  add column epoch integer not null default 0,
  add column last_used_from text;
comment on column sessions.epoch is 'The sum of the epochs of the person and of the member when whoever opened it was proved; it holds while they are so.';
comment on column sessions.last_used_from is 'The address of the latest use that was noted.';
create index sessions_by_user on sessions (user_id, expires_at);

alter table api_keys
  add column allowed_networks text[] not null default '{}',
  add column last_used_from text,
  add column previous_token_hash bytea,
  add column previous_ends_at timestamptz,
  add column warned_at timestamptz,
  add constraint api_keys_previous_secret_is_whole check ((previous_token_hash is null) = (previous_ends_at is null)),
  add constraint api_keys_previous_secret_ends_at_a_moment check (isfinite(previous_ends_at)),
  add constraint api_keys_previous_token_hash_is_unique unique (previous_token_hash);
comment on column api_keys.allowed_networks is 'Networks in CIDR form from which the key is accepted; none named means any.';
comment on column api_keys.last_used_from is 'The address of the latest use that was noted.';
comment on column api_keys.previous_token_hash is 'Of the secret before the latest rotation, which is accepted until previous_ends_at.';
comment on column api_keys.warned_at is 'When somebody was told that the key is about to expire.';
create index api_keys_to_warn_of on api_keys (expires_at) where warned_at is null and revoked_at is null;

create table password_resets (
  key text primary key,
  code_hash bytea not null,
  attempts integer not null default 0,
  sent_at timestamptz not null,
  sent_in_hour integer not null default 1,
  hour_began_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_by_end on password_resets (expires_at);
comment on table password_resets is 'The code by which an address may set a new password, by a digest of the address, whether it has an account or not. Only a keyed hash of the code is kept.';

grant select, insert, update, delete on password_resets to svc_app, svc_identity;
grant select (session_epoch, password_changed_at), update (name, password_hash, password_changed_at, password_is_short, session_epoch) on users to svc_app;
create policy users_change on users for update to svc_app
  using (exists (select from members m where m.organization_id = svc_organization() and m.user_id = users.id))
  with check (exists (select from members m where m.organization_id = svc_organization() and m.user_id = users.id));
grant update (last_used_from) on sessions, api_keys to svc_identity;
