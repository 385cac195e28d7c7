-- Mails wait here, written by the transaction of the change they tell of, until a plane has handed them to the mail server. What they say, and to
-- whom, is sealed under the master key and goes when it is not needed any more; digests tell recipients and senders apart.
create table mails (
  organization_id text not null,
  id text primary key,
  template text not null,
  sealed bytea,
  recipient_key text not null,
  sender_key text not null,
  per_hour_max integer not null,
  state text not null default 'WAITING',
  attempts integer not null default 0,
  failure text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  due_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz
);
comment on table mails is 'Mails to be sent, and for a while what became of them.';
comment on column mails.organization_id is 'Of a mail that nobody''s organization sends, such as a sign-up, the one that is nobody''s.';
comment on column mails.sealed is 'Recipient and values of the template; null once nobody needs them.';
comment on column mails.recipient_key is 'A keyed digest of the address.';
comment on column mails.sender_key is 'Whose share of the mail server it takes: an organization, or the address a stranger asked from.';
comment on column mails.per_hour_max is 'How many of this template one recipient gets within an hour.';
comment on column mails.state is 'WAITING, SENT or GIVEN_UP.';
comment on column mails.due_at is 'When it is tried next. A plane that tries it moves this by its lease, so that no other does at the same time.';
comment on column mails.started_at is 'When it was tried first, from which it counts against its recipient and its sender.';
select svc_guard('mails', array['svc_app']);
grant select (organization_id, sender_key, state), insert on mails to svc_app;
-- Who sends does so for everybody in turn, and so sees the mails of all.
create policy mails_sent on mails for select to svc_identity using (true);
create policy mails_settled on mails for update to svc_identity using (true);
create policy mails_forgotten on mails for delete to svc_identity using (true);
grant select, delete, update (sealed, state, attempts, failure, due_at, started_at, ended_at) on mails to svc_identity;
create index mails_waiting on mails (due_at) where state = 'WAITING';
create index mails_waiting_of_sender on mails (organization_id, sender_key) where state = 'WAITING';
create index mails_of_recipient on mails (recipient_key, started_at) where started_at is not null;
create index mails_of_sender on mails (sender_key, started_at) where started_at is not null;
create index mails_ended on mails (ended_at) where ended_at is not null;

-- Sign-ups that wait for the code that was mailed. Nothing else of the organization or of the person is there before it.
create table sign_ups (
  id text primary key,
  email_key text not null,
  sealed bytea not null,
  code_hash bytea not null,
  attempts integer not null default 0,
  is_contested boolean not null default false,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table sign_ups is 'Sign-ups whose address is not proved yet.';
comment on column sign_ups.email_key is 'A keyed digest of the address.';
comment on column sign_ups.sealed is 'Name, organization, address and the hash of the password.';
comment on column sign_ups.code_hash is 'A keyed hash of the code.';
comment on column sign_ups.attempts is 'Codes that were compared with it.';
comment on column sign_ups.is_contested is 'Whether somebody with another password began a sign-up of the same address meanwhile: then the code alone is not enough.';
comment on column sign_ups.used_at is 'When the organization was founded. The row stays until its end, so that the code sent twice is not taken for a guess.';
create index sign_ups_by_address on sign_ups (email_key, created_at);
create index sign_ups_by_end on sign_ups (expires_at);
alter table sign_ups enable row level security;
alter table sign_ups force row level security;
create policy sign_ups_begun on sign_ups for insert to svc_app with check (true);
create policy sign_ups_seen on sign_ups for select to svc_app using (true);
create policy sign_ups_contested on sign_ups for update to svc_app using (true);
create policy sign_ups_ended on sign_ups for delete to svc_app using (true);
create policy sign_ups_to_verify on sign_ups for select to svc_identity using (true);
create policy sign_ups_guessed on sign_ups for update to svc_identity using (true);
create policy sign_ups_forgotten on sign_ups for delete to svc_identity using (true);
-- A change begins and ends them; what is in them is for whoever checks codes alone.
grant insert, delete, select (id, email_key, created_at, expires_at, used_at), update (is_contested, used_at, sealed) on sign_ups to svc_app;
grant select, delete, update (attempts) on sign_ups to svc_identity;

-- What a person answered when they began, in each of their organizations.
create table onboardings (
  organization_id text not null references organizations (id),
  user_id text not null references users (id),
  answers jsonb not null default '{}',
  environment_id text,
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
comment on table onboardings is 'First steps of a person in an organization.';
comment on column onboardings.answers is 'By step; what was not answered is not there.';
comment on column onboardings.environment_id is 'The environment that the chosen mode was applied to; null where none was named.';
select svc_guard('onboardings', array['svc_app']);
grant select, insert, update on onboardings to svc_app;
