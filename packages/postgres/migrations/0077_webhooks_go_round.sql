-- What a receiver asked for: nothing any more (410), or nothing until later (Retry-After).
alter table webhook_subscriptions add column gone_since timestamptz, add column paused_until timestamptz;
comment on column webhook_subscriptions.gone_since is 'Since when its receiver says that it is gone: nothing is sent, and it is about to be disabled.';
comment on column webhook_subscriptions.paused_until is 'Until when its receiver asked to be left alone.';
grant update (gone_since, paused_until) on webhook_subscriptions to svc_reader;
grant select (gone_since) on webhook_subscriptions to svc_identity;

-- Deliveries of a subscription by how they stand, newest first. Of all of them together a page is the newest of each state.
drop index webhook_deliveries_of_subscription;
create index webhook_deliveries_by_state on webhook_deliveries (subscription_id, state, id);
create index webhook_deliveries_of_event on webhook_deliveries using hash (event_id);

-- Of an organization with many events at once: the part of the feed for which its deliveries are still to be made, in turn with others.
create table webhook_stretches (
  organization_id text primary key references organizations (id),
  after_transaction_id xid8 not null default '0',
  after_id text not null,
  until_transaction_id xid8 not null default '0',
  until_id text not null,
  due_at timestamptz not null default clock_timestamp()
);
comment on table webhook_stretches is 'Parts of the feed for which deliveries are still to be made: of an organization that had many events at once.';
comment on column webhook_stretches.after_id is 'The last event for which they were made; with the transaction before it, its position.';
comment on column webhook_stretches.until_id is 'The last event of the part, which belongs to it.';
comment on column webhook_stretches.due_at is 'Whose turn was longest ago comes first.';
select svc_guard('webhook_stretches', array['svc_app']);
grant select, update on webhook_stretches to svc_app;
create policy webhook_stretches_served on webhook_stretches for all to svc_reader using (true) with check (true);
grant select, insert, update, delete on webhook_stretches to svc_reader;
