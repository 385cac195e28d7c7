-- Which proofs a session rests on; those there were rest on a password.
alter table sessions add column amr text[] not null default '{PASSWORD}';
comment on column sessions.amr is 'The proofs it rests on (RFC 8176), by the words of the contract.';

-- Factors are a person's, whatever the organizations they belong to, as the password is.
create table second_factors (
  user_id text not null references users (id) on delete cascade,
  id text not null,
  kind text not null,
  name text not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_used_at timestamptz,
  enrolled_in text not null,
  sealed_secret bytea,
  last_step bigint,
  credential_id bytea,
  public_key bytea,
  sign_count bigint,
  transports text[],
  primary key (user_id, id),
  constraint second_factors_credential_is_unique unique (credential_id),
  constraint second_factors_are_whole check (case kind
    when 'TOTP' then sealed_secret is not null and credential_id is null
    when 'PASSKEY' then credential_id is not null and public_key is not null and sign_count is not null and confirmed_at is not null
    else false end)
);
comment on table second_factors is 'What a person proves who they are with besides a password: generators of one-time codes (RFC 6238) and passkeys (WebAuthn).';
comment on column second_factors.confirmed_at is 'When the first code of it was right; until then it proves nothing.';
comment on column second_factors.enrolled_in is 'The session that enrolled it, and the only one that can confirm it.';
comment on column second_factors.sealed_secret is 'Of a generator of codes, sealed under the master key for this person and row.';
comment on column second_factors.last_step is 'The time step of the last code that was taken; none up to it is taken again.';
comment on column second_factors.sign_count is 'What the passkey last counted; zero where it does not count.';

create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on table recovery_codes is 'Codes that each stand for a second factor once. Only a keyed hash is kept.';

-- A first factor was proved, and a second is asked for. It has the identifier of the session that it becomes.
create table mfa_challenges (
  organization_id text not null references organizations (id),
  session_id text not null,
  user_id text not null references users (id) on delete cascade,
  token_hash bytea not null,
  proofs text[] not null,
  source text not null,
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, session_id),
  constraint mfa_challenges_token_hash_is_unique unique (token_hash)
);
create index mfa_challenges_by_person on mfa_challenges (user_id, expires_at);
comment on table mfa_challenges is 'Sign-ins that wait for their second factor. Only the SHA-256 of the token is kept.';
comment on column mfa_challenges.source is 'The network that the first factor came from; the second has to come from there too.';

-- One for each challenge at most: whoever holds a password asks its owner no more than once for each time they type it.
create table device_approvals (
  organization_id text not null,
  id text not null,
  session_id text not null,
  user_id text not null references users (id) on delete cascade,
  number smallint not null,
  source_ip text not null,
  user_agent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_in text,
  is_approved boolean not null default false,
  primary key (organization_id, id),
  constraint device_approvals_are_once_per_challenge unique (organization_id, session_id),
  constraint device_approvals_are_of_a_challenge foreign key (organization_id, session_id)
    references mfa_challenges (organization_id, session_id) on delete cascade
);
create index device_approvals_by_person on device_approvals (organization_id, user_id, expires_at);
comment on table device_approvals is 'Sign-ins that ask a session of the same person for approval.';
comment on column device_approvals.decided_in is 'The session that decided.';

-- Challenges of WebAuthn are signed and say when they end, so that only those that were met are kept, until then.
create table used_passkey_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_by_end on used_passkey_challenges (expires_at);
comment on table used_passkey_challenges is 'Challenges that a passkey has met; none is met twice.';

do $$
declare
  t text;
begin
  foreach t in array array['second_factors', 'recovery_codes']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I for all to svc_app using (exists (select from members m
      where m.organization_id = svc_organization() and m.user_id = %I.user_id)) with check (exists (select from members m
      where m.organization_id = svc_organization() and m.user_id = %I.user_id))', t || '_of_members', t, t, t);
    execute format('create policy %I on %I for select to svc_identity using (true)', t || '_of_callers', t);
    execute format('grant select, insert, delete on %I to svc_app', t);
    execute format('grant select on %I to svc_identity', t);
  end loop;
end $$;
grant update (name, confirmed_at, last_used_at, last_step, sign_count) on second_factors to svc_app;
grant update (used_at) on recovery_codes to svc_app;

select svc_guard('mfa_challenges', array['svc_app']);
select svc_guard('device_approvals', array['svc_app']);
grant select, insert, delete on mfa_challenges, device_approvals to svc_app;
grant update (failures, used_at) on mfa_challenges to svc_app;
grant update (decided_at, decided_in, is_approved) on device_approvals to svc_app;
create policy mfa_challenges_by_token on mfa_challenges for select to svc_identity using (true);
create policy device_approvals_by_challenge on device_approvals for select to svc_identity using (true);
grant select on mfa_challenges, device_approvals to svc_identity;

grant insert on used_passkey_challenges to svc_app;
grant select, delete on used_passkey_challenges to svc_identity;
