-- The record is read for all organizations together: a row that no reader knows what to make of is not taken. The length of a value that is being
-- written is known without its text being made. Said of each partition, so that one which holds such a row from before is attached all the same.
create function svc_bound_audit_partition(called regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s add constraint audit_events_are_of_a_year_that_clocks_tell check (occurred_at >= %L and occurred_at < %L) not valid',
    called, '2000-01-01 00:00:00+00', '10000-01-01 00:00:00+00');
  execute format('alter table %s add constraint audit_events_tell_no_more_than_is_read check (pg_column_size(data) <= 16777216) not valid', called);
end $$;
comment on function svc_bound_audit_partition is 'Bounds what is written into a partition of the events from now on.';

set local lock_timeout = '10s';
select svc_bound_audit_partition(inhrelid::regclass) from pg_inherits where inhparent = 'audit_events'::regclass;
set local lock_timeout to default;

create or replace function svc_close_audit_partition(called name) returns void language plpgsql as $$
begin
  execute format('alter table %I set (autovacuum_vacuum_insert_threshold = 1000000, autovacuum_vacuum_cost_delay = 20)', called);
  perform svc_sample_little(called::regclass);
  perform svc_bound_audit_partition(called::regclass);
  execute format('alter table %I enable row level security', called);
  execute format('alter table %I force row level security', called);
  execute format('drop policy if exists read_by_the_owner on %I', called);
  execute format('create policy read_by_the_owner on %I for select to %I using (true)', called, current_user);
end $$;
revoke all on function svc_bound_audit_partition, svc_close_audit_partition from public;

-- How far behind a consumer is that breaks off is told by when that began, whatever its events say of themselves.
alter table feed_positions add column failing_since timestamptz;
comment on column feed_positions.failing_since is 'When it broke off first since it last took events; null while it does not.';
grant update (failing_since) on feed_positions to svc_reader;
