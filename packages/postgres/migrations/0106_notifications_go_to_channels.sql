-- Chats that are sent notifications, by their incoming webhooks.
create table notification_channels (
  organization_id text not null references organizations (id),
  id text primary key,
  name text not null,
  kind text not null default 'SLACK',
  address text not null,
  sealed_url bytea not null,
  notices text[] not null,
  workspace_id text,
  environment_id text,
  status text not null default 'ACTIVE',
  disabled_reason text,
  vouched_by_type text not null,
  vouched_by text not null,
  created_by text not null,
  failures integer not null default 0,
  gone_answers integer not null default 0,
  failing_since timestamptz,
  last_error text,
  last_sent_at timestamptz,
  due_at timestamptz not null default now(),
  leased_by text,
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint notification_channels_name_is_unique unique (organization_id, name)
);
comment on table notification_channels is 'Chats that are sent notifications, and which kinds of them.';
comment on column notification_channels.address is 'Where it leads, as people are shown it: the host, and the last characters of its URL.';
comment on column notification_channels.sealed_url is 'The incoming webhook, sealed under the data key of the organization for this row.';
comment on column notification_channels.notices is 'The kinds of notifications that it is sent.';
comment on column notification_channels.workspace_id is 'What is about this workspace alone; null for the whole organization.';
comment on column notification_channels.vouched_by is 'Who made it or last changed it: what that person or key may read no longer is not sent any more.';
comment on column notification_channels.failures is 'Posts in a row that did not arrive, which say when the next one is made.';
comment on column notification_channels.gone_answers is 'Of these the last ones by which the receiver said that it is gone.';
comment on column notification_channels.due_at is 'Before then nothing is posted to it.';
comment on column notification_channels.leased_by is 'The worker that posts to it, until leased_until.';
select svc_guard('notification_channels', array['svc_app']);
grant select, insert, update, delete on notification_channels to svc_app;
create policy notification_channels_served on notification_channels for select to svc_reader using (true);
create policy notification_channels_leased on notification_channels for update to svc_reader using (true);
grant select (organization_id, id, status, due_at, leased_by, leased_until) on notification_channels to svc_reader;
grant update (leased_by, leased_until) on notification_channels to svc_reader;

-- What is to be posted to each of them: it goes when it was.
create table channel_messages (
  organization_id text not null,
  id text primary key,
  channel_id text not null references notification_channels (id) on delete cascade,
  kind text,
  subject_id text,
  facts jsonb not null default '{}',
  gathered integer not null default 1,
  link text not null,
  created_at timestamptz not null default now()
);
comment on table channel_messages is 'What is to be posted to each notification channel.';
comment on column channel_messages.kind is 'The kind of notification; null of a test.';
comment on column channel_messages.facts is 'Names and numbers that its sentence tells.';
comment on column channel_messages.gathered is 'How many it stands for: more than one where too many waited already.';
comment on column channel_messages.link is 'Where it is looked at.';
select svc_guard('channel_messages', array['svc_app']);
grant select, insert, update, delete on channel_messages to svc_app;
create policy channel_messages_looked_for on channel_messages for select to svc_reader using (true);
grant select (channel_id) on channel_messages to svc_reader;
create index channel_messages_waiting on channel_messages (channel_id, id);
create index notification_channels_leased on notification_channels (organization_id) where leased_until is not null;
