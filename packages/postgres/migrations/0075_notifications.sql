-- What somebody is to be told of, once: left by whoever reads the events on, and by whoever looks for what ends soon.
create table notices (
  organization_id text not null,
  kind text not null,
  about text not null,
  subject_type text not null,
  subject_id text not null,
  workspace_id text,
  environment_id text,
  event_id text,
  facts jsonb not null default '{}',
  created_at timestamptz not null default now(),
  done_at timestamptz,
  kept_until timestamptz not null,
  primary key (organization_id, kind, about)
);
comment on table notices is 'What somebody is to be told of, until it is known who, and for a while after so that it is not told again.';
comment on column notices.about is 'What it is told of once: an event, a day of a subject, or the end of one.';
comment on column notices.done_at is 'When it was put before people.';
select svc_guard('notices', array['svc_app']);
grant select, insert, update, delete on notices to svc_app;
create policy notices_left on notices for insert to svc_reader with check (true);
create policy notices_known on notices for select to svc_reader using (true);
grant select (organization_id, kind, about), insert on notices to svc_reader;
create policy notices_looked_for on notices for select to svc_identity using (true);
grant select (organization_id, kind, about, done_at, kept_until) on notices to svc_identity;
-- Whoever looks for what ends soon does so for all organizations.
grant select (id, delegator_user_id, created_at) on delegations to svc_identity;
create index notices_waiting on notices (organization_id, created_at) where done_at is null;
create index notices_done on notices (kept_until) where done_at is not null;

-- What a person was told, and what is still to be mailed of it. It goes with the membership.
create table notifications (
  organization_id text not null,
  id text primary key,
  user_id text not null,
  kind text not null,
  subject_type text,
  subject_id text,
  workspace_id text,
  environment_id text,
  event_id text,
  facts jsonb not null default '{}',
  gathered integer not null default 0,
  gathered_mailed integer not null default 0,
  in_inbox boolean not null default true,
  mail_due_at timestamptz,
  read_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);
comment on table notifications is 'What each person was told.';
comment on column notifications.facts is 'Names and numbers that its sentence tells.';
comment on column notifications.gathered is 'How many it stands for; 0 where it is about one subject.';
comment on column notifications.gathered_mailed is 'How many of these were mailed.';
comment on column notifications.mail_due_at is 'When it is to be mailed; null where it is not, or was.';
select svc_guard('notifications', array['svc_app']);
grant select, insert, update, delete on notifications to svc_app;
create policy notifications_looked_for on notifications for select to svc_identity using (true);
grant select (organization_id, mail_due_at) on notifications to svc_identity;
create index notifications_of_person on notifications (organization_id, user_id, id);
create index notifications_to_mail on notifications (organization_id, mail_due_at) where mail_due_at is not null;
create unique index notifications_gathered on notifications
  (organization_id, user_id, kind, coalesce(workspace_id, ''), coalesce(environment_id, '')) where gathered > 0 and read_at is null;

-- How a person wants to be told, in whichever organization, and how often they were mailed of late.
create table notification_preferences (
  user_id text primary key references users (id) on delete cascade,
  preferences jsonb not null default '{}',
  hour_began_at timestamptz,
  mails_in_hour integer not null default 0,
  last_mail_at timestamptz,
  updated_at timestamptz not null default now()
);
comment on table notification_preferences is 'How each person wants to be told.';
comment on column notification_preferences.preferences is 'What they said; for whatever they did not, there is a default.';
comment on column notification_preferences.mails_in_hour is 'Mails of notifications since hour_began_at, from all organizations.';
alter table notification_preferences enable row level security;
alter table notification_preferences force row level security;
create policy notification_preferences_kept on notification_preferences for all to svc_app using (true) with check (true);
grant select, insert, update on notification_preferences to svc_app;
