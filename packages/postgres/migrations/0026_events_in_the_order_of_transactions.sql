-- An event carries the id of the transaction that wrote it. Once every transaction before some id is over, what these wrote can be read in
-- the order of (transaction_id, id) and never changes again: so the record is read as one feed, every committed event once and none missed.
-- What was there before carries 0 and comes first, by its own id. That constant is kept beside the table, whose rows are not written anew.
alter table audit_events add column transaction_id xid8 not null default '0';
alter table audit_events alter column transaction_id set default pg_current_xact_id();
comment on column audit_events.transaction_id is 'The transaction that wrote the event, by the count of this server; 0 for what is older than this count.';

-- Ids of transactions grow, so each goes in at the right-hand end, and those of one batch share an entry.
create index audit_events_by_transaction on audit_events (transaction_id);
-- Of events to come none is in it.
create index audit_events_of_before on audit_events (id) where transaction_id = '0';

-- Which transaction an event is of is for the database alone to say: whoever named another could hide an event from those that read on.
do $$
declare
  columns text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = 'audit_events'::regclass and attnum > 0 and not attisdropped and attname <> 'transaction_id');
begin
  revoke insert on audit_events from svc_app, svc_recorder, svc_gateway;
  execute format('grant insert (%s) on audit_events to svc_app, svc_recorder, svc_gateway', columns);
end $$;
