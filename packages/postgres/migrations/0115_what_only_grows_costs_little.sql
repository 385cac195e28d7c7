-- A call that was made changes its action once, into another page: there is something to clean up after in half of the pages at most. Begun at
-- every fifth of a small table and at full pace, that took a sixth of a processor from the calls of a busy hour; begun after a hundred thousand
-- and at a fifth of the pace it still keeps up with 2,500 calls a second.
alter table actions set (autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_cost_delay = 10);
-- Leaves are never changed, as events are not.
alter table audit_leaves set (autovacuum_vacuum_insert_threshold = 1000000, autovacuum_vacuum_cost_delay = 20);

-- Nothing here is found by how often a value occurs, so a sample of 3,000 rows tells the planner as much as one of 30,000, which it takes
-- whenever a table has grown by a tenth and which are read from as many pages.
create function svc_sample_little(called regclass) returns void language plpgsql as $$
declare column_name name;
begin
  for column_name in select attname from pg_attribute where attrelid = called and attnum > 0 and not attisdropped loop
    execute format('alter table %s alter column %I set statistics 10', called, column_name);
  end loop;
end $$;
select svc_sample_little(called) from unnest('{actions, audit_leaves, audit_events_default}'::regclass[]) as called;
select svc_sample_little(inhrelid::regclass) from pg_inherits where inhparent = 'audit_events'::regclass and inhrelid <> 'audit_events_default'::regclass;

create or replace function svc_close_audit_partition(called name) returns void language plpgsql as $$
begin
  execute format('alter table %I set (autovacuum_vacuum_insert_threshold = 1000000, autovacuum_vacuum_cost_delay = 20)', called);
  perform svc_sample_little(called::regclass);
  execute format('alter table %I enable row level security', called);
  execute format('alter table %I force row level security', called);
  execute format('drop policy if exists read_by_the_owner on %I', called);
  execute format('create policy read_by_the_owner on %I for select to %I using (true)', called, current_user);
end $$;
revoke all on function svc_sample_little, svc_close_audit_partition from public;
