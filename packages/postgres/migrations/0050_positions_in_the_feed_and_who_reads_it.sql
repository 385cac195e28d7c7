-- svc_reader reads the events of all organizations, in the order of the feed: sealing, webhooks and streams rest on it. It adds no event, and
-- sees of anything else what the migration of a consumer gives it.
create policy audit_events_read_on on audit_events for select to svc_reader using (true);
grant select on audit_events to svc_reader;

-- How far each reader of the feed has come. Written in the transaction of what it made of those events, so that it has made it once.
create table feed_positions (
  consumer text primary key,
  transaction_id xid8 not null,
  id text not null,
  failures integer not null default 0,
  retry_at timestamptz,
  updated_at timestamptz not null default now()
);
comment on table feed_positions is 'Up to which event each consumer of the feed has taken the events, and since when it could not.';
comment on column feed_positions.failures is 'How often it broke off since it last took events.';
comment on column feed_positions.retry_at is 'Not before this is it tried again; null for at once.';
grant select, insert on feed_positions to svc_reader;
grant update (transaction_id, id, failures, retry_at, updated_at) on feed_positions to svc_reader;
