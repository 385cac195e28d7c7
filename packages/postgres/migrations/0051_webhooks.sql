-- Receivers outside that are told of events.
create table webhook_subscriptions (
  organization_id text not null references organizations (id),
  id text primary key,
  name text not null,
  url text not null,
  event_types text[] not null,
  workspace_id text,
  environment_id text,
  body_format text not null default 'JSON',
  status text not null default 'ACTIVE',
  disabled_reason text,
  sealed_secret bytea not null,
  sealed_previous_secret bytea,
  previous_secret_ends_at timestamptz,
  vouched_by_type text not null,
  vouched_by text not null,
  created_by text not null,
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  leased_by text,
  leased_until timestamptz,
  constraint webhook_subscriptions_name_is_unique unique (organization_id, name)
);
comment on table webhook_subscriptions is 'Receivers that are told of events, and of which.';
comment on column webhook_subscriptions.workspace_id is 'Events of this workspace alone; null for the whole organization.';
comment on column webhook_subscriptions.sealed_secret is 'What deliveries are signed with, sealed under the master key for this row.';
comment on column webhook_subscriptions.vouched_by is 'Who made it or last changed it: what that person or key may read no longer is not delivered any more.';
comment on column webhook_subscriptions.failing_since is 'Since when no delivery has arrived; null where the last one did.';
comment on column webhook_subscriptions.leased_by is 'The worker that serves it, until leased_until.';
select svc_guard('webhook_subscriptions', array['svc_app']);
grant select, insert, update, delete on webhook_subscriptions to svc_app;
create policy webhook_subscriptions_served on webhook_subscriptions for select to svc_reader using (true);
create policy webhook_subscriptions_leased on webhook_subscriptions for update to svc_reader using (true);
grant select, update (failing_since, leased_by, leased_until) on webhook_subscriptions to svc_reader;
create index webhook_subscriptions_active on webhook_subscriptions (organization_id) where status = 'ACTIVE';

-- What each receiver is to be told, and how that went. The event itself stands in the record; that of a test nowhere.
create table webhook_deliveries (
  organization_id text not null,
  id text primary key,
  position bigint not null generated always as identity,
  subscription_id text not null,
  event_id text not null,
  event_type text not null,
  subject_id text not null,
  workspace_id text,
  environment_id text,
  is_test boolean not null default false,
  state text not null default 'WAITING',
  attempts integer not null default 0,
  failures integer not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz,
  reason text,
  tries jsonb not null default '[]',
  created_at timestamptz not null default now(),
  ended_at timestamptz
) with (fillfactor = 70);
comment on table webhook_deliveries is 'What each receiver is to be told, and how that went.';
comment on column webhook_deliveries.position is 'The order of the feed.';
comment on column webhook_deliveries.state is 'WAITING, DELIVERED or FAILED.';
comment on column webhook_deliveries.attempts is 'Attempts that were begun, of which the last may be under way or lost with its worker.';
comment on column webhook_deliveries.failures is 'Attempts that failed since it was last asked for, which say when the next one is.';
comment on column webhook_deliveries.leased_until is 'Until when an attempt is under way.';
comment on column webhook_deliveries.tries is 'The last attempts, as they went.';
select svc_guard('webhook_deliveries', array['svc_app']);
grant select, insert, update on webhook_deliveries to svc_app;
create policy webhook_deliveries_served on webhook_deliveries for all to svc_reader using (true) with check (true);
grant select, insert, update, delete on webhook_deliveries to svc_reader;
create index webhook_deliveries_waiting on webhook_deliveries (subscription_id, due_at, position) where state = 'WAITING';
create index webhook_deliveries_of_subscription on webhook_deliveries (subscription_id, id);
-- Whoever looks for subscriptions that are to be disabled does so for all organizations.
create policy webhook_subscriptions_looked_at on webhook_subscriptions for select to svc_identity using (true);
grant select (organization_id, id, status, failing_since, vouched_by) on webhook_subscriptions to svc_identity;
