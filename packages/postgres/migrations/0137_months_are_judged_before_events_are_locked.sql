-- Whether everybody in a month keeps it no longer and has announced that is asked of one organization after the other, which takes seconds where they
-- are thousands. It is asked before events are locked, and nobody says otherwise from then on: who writes an event waits for what is dropped alone.
create or replace function svc_drop_audit_partition(rows_max integer) returns table (called name, is_dropped boolean) language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  month record;
  stands audit_partition_checks;
  looked record;
  is_late boolean;
  is_held boolean;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('svc_drop_audit_partition', 0)) then return; end if;
  select p.* into month from svc_audit_partitions() p
   where p.beyond_id <= svc_first_id('evt', clock_timestamp() - interval '184 days') and svc_audit_may_go(p.called, p.beyond_id)
     and svc_audit_all_announced(p.called) order by p.beyond_id limit 1;
  if not found then return; end if;
  called := month.called;
  is_dropped := false;
  insert into audit_partition_checks as c (called, as_of) values (month.called, pg_snapshot_xmin(pg_current_snapshot())) on conflict do nothing;
  select c.* into stands from audit_partition_checks c where c.called = month.called;
  if not stands.is_whole then
    execute format(
      'select count(*) as n, max(e.organization_id) as organization, (array_agg(e.id order by e.organization_id desc, e.id desc))[1] as id,
              coalesce(bool_or(l.leaf is null or l.leaf >= r.announced_leaves and svc_audit_all_told(e.organization_id)), false) as is_mixed,
              coalesce(bool_or(l.leaf >= r.announced_leaves and not svc_audit_all_told(e.organization_id)), false) as is_early
         from (select organization_id, id from %I where (organization_id, id) > ($1, $2) order by organization_id, id limit $3) e
         left join audit_retention r using (organization_id), lateral (select svc_audit_leaf(e.organization_id, e.id) as leaf) l', month.called)
      into looked using stands.after_organization, stands.after_id, least(rows_max, 50000);
    -- What is not announced yet is waited for. What was never sealed, or written long after its time by a clock that was wrong, stays: then what
    -- else there is in the month goes one by one.
    if looked.is_early then return; end if;
    update audit_partition_checks c set after_organization = coalesce(looked.organization, c.after_organization), after_id = coalesce(looked.id, c.after_id),
      is_mixed = looked.is_mixed, is_whole = looked.n < least(rows_max, 50000) and not looked.is_mixed where c.called = month.called;
    return next;
    return;
  end if;
  delete from audit_partition_checks c where c.called = month.called;
  -- Nobody says otherwise from here on.
  lock table audit_retention in share mode;
  if not (svc_audit_all_announced(month.called) and svc_audit_may_go(month.called, month.beyond_id)) then return; end if;
  -- Nobody adds an event from here on.
  lock table only audit_events in access exclusive mode;
  execute format('lock table %I in access exclusive mode', month.called);
  execute format('select exists (select from %I where transaction_id >= $1)', month.called) into is_late using stands.as_of;
  execute format('select exists (select from audit_trees t where t.held_since is not null and exists (select from %I e where e.organization_id = t.organization_id))',
    month.called) into is_held;
  if not is_late and not is_held then
    execute format('drop table %I', month.called);
    is_dropped := true;
    return next;
  end if;
end $$;
