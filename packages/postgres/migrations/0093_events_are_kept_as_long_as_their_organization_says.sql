-- How long an organization keeps its events, and how far those that it keeps no longer are removed. Without a row, and where no time is said,
-- they are kept for ever.
create table audit_retention (
  organization_id text primary key,
  keep_days integer check (keep_days >= 184),
  changed_at timestamptz not null default clock_timestamp(),
  announced_leaves bigint not null default 0,
  announced_in xid8,
  removed_leaves bigint not null default 0
);
comment on table audit_retention is 'For how many days each organization keeps its events, and up to which leaf of its log they were removed.';
comment on column audit_retention.keep_days is 'Half a year at least; null for ever.';
comment on column audit_retention.announced_leaves is 'Events of the leaves before this one may be missing: an event of the record says so, signed.';
comment on column audit_retention.announced_in is 'The transaction of that event.';
comment on column audit_retention.removed_leaves is 'Events of the leaves before this one have been removed.';
select svc_guard('audit_retention', array['svc_app']);
grant select, insert, update (keep_days, announced_leaves, removed_leaves) on audit_retention to svc_app;
create policy audit_retention_swept on audit_retention for select to svc_identity using (true);
grant select (organization_id, keep_days) on audit_retention to svc_identity;

-- When something was said, and in which transaction, is for the database alone to say.
create function svc_audit_retention_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.keep_days is distinct from old.keep_days then new.changed_at := clock_timestamp(); end if;
  if tg_op = 'INSERT' then
    new.announced_leaves := 0;
    new.announced_in := null;
    new.removed_leaves := 0;
  elsif new.announced_leaves is distinct from old.announced_leaves then new.announced_in := pg_current_xact_id(); end if;
  return new;
end $$;
create trigger audit_retention_changed before insert or update on audit_retention
  for each row execute function svc_audit_retention_changed();

-- What retention asks of the log, and all it asks: these three know how leaves are kept.
create function svc_audit_leaf(organization text, event text) returns bigint language sql stable
  as $$ select leaf_index from audit_leaves where organization_id = organization and event_id = event $$;
create function svc_audit_leaves(organization text, since bigint, upto bigint) returns table (leaf_index bigint, event_id text) language sql stable
  as $$ select l.leaf_index, l.event_id from audit_leaves l where l.organization_id = organization and l.leaf_index >= since and l.leaf_index < upto
          order by l.leaf_index $$;
create function svc_audit_newest(organization text) returns text language sql stable
  as $$ select max(event_id) from audit_leaves where organization_id = organization $$;

create function svc_time_of_id(id text) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(sum((position(substr(split_part(id, '_', 2), 1 + place, 1) in '0123456789ABCDEFGHJKMNPQRSTVWXYZ') - 1) * 32::numeric ^ (9 - place))::float8 / 1000)
    from generate_series(0, 9) as place $$;

-- Before which identifier an organization keeps no events any more; null for none. By the month, with an hour for what was committed late, so that
-- months go as a whole. A clock of the database that jumps ahead is not believed beyond what the newest sealed event says, and half a year is kept
-- whatever the table says. What was said less than seven days ago does nothing yet: whoever notices it can say otherwise.
create function svc_audit_cutoff(organization text) returns text language plpgsql stable as $$
declare
  said record;
  until timestamptz;
  month timestamptz;
begin
  select r.keep_days, r.changed_at into said from audit_retention r where r.organization_id = organization;
  if said.keep_days is null or said.changed_at > clock_timestamp() - interval '7 days' then return null; end if;
  until := least(clock_timestamp(), svc_time_of_id(svc_audit_newest(organization))) - greatest(said.keep_days, 184) * interval '1 day';
  month := svc_month(0, until);
  if until < month + interval '1 hour' then month := svc_month(-1, until); end if;
  return svc_first_id('evt', month + interval '1 hour');
end $$;

-- Whether the record says that events up to there may be missing, and says it where nobody can take it back: as a leaf of a log that is not held.
create function svc_audit_is_announced(organization text) returns boolean language sql stable as $$
  select exists (
    select from audit_retention r
      join audit_trees t on t.organization_id = r.organization_id and t.held_since is null
      join audit_events e on e.organization_id = r.organization_id and e.transaction_id = r.announced_in and e.type = 'audit.retention_updated'
       and e.data #>> '{after,removed_leaves}' = r.announced_leaves::text
     where r.organization_id = organization and r.announced_in > '0' and r.announced_leaves <= t.size and svc_audit_leaf(organization, e.id) < t.size) $$;

-- Whether there is no more to announce: what comes next is kept.
create function svc_audit_all_told(organization text) returns boolean language sql stable as $$
  select coalesce((select l.event_id >= svc_audit_cutoff(organization) from audit_retention r, lateral svc_audit_leaves(organization, r.announced_leaves, r.announced_leaves + 1) l
                    where r.organization_id = organization), false) $$;

-- How far a month was looked through before it is dropped, and whether something in it is not to go with it.
create table audit_partition_checks (
  called text primary key,
  as_of xid8 not null,
  after_organization text not null default '',
  after_id text not null default '',
  is_whole boolean not null default false,
  is_mixed boolean not null default false
);
comment on table audit_partition_checks is 'Months of events that are looked through, to be dropped if everything in them may go.';

-- Whether everybody who has events in a partition keeps none of its time any more.
create function svc_audit_may_go(partition name, beyond text) returns boolean language plpgsql stable as $$
declare
  organization text := '';
  is_mixed constant boolean := exists (select from audit_partition_checks c where c.called = partition and c.is_mixed);
begin
  loop
    execute format('select min(organization_id) from %I where organization_id > $1', partition) into organization using organization;
    if organization is null then return true; end if;
    if is_mixed or coalesce(svc_audit_cutoff(organization) < beyond, true) then return false; end if;
    if exists (select from audit_trees t where t.organization_id = organization and t.held_since is not null) then return false; end if;
  end loop;
end $$;

-- Whose events a transaction removes, if any. Only where the owner acts, as in the function below, does it mean anything.
create function svc_retained() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('svc.retained', true), '') $$;

-- The one way in which events of the record are removed one by one: a bounded number of leaves, oldest first, that are announced, sealed, and older
-- than the organization keeps them. Those of a month that will be dropped wait for that.
create function svc_remove_audit_events(organization text, leaves_max integer) returns table (walked_to bigint, removed bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  stands record;
  cutoff text;
  ids text[];
begin
  if organization is distinct from svc_organization() or not svc_audit_is_announced(organization) then return; end if;
  cutoff := svc_audit_cutoff(organization);
  select r.removed_leaves as since, least(r.announced_leaves, r.removed_leaves + least(leaves_max, 10000)) as upto into stands
    from audit_retention r where r.organization_id = organization;
  select max(l.leaf_index) + 1, array_agg(l.event_id) into walked_to, ids from (
    select w.*, bool_or(w.event_id >= cutoff) over (order by w.leaf_index) as is_kept from svc_audit_leaves(organization, stands.since, stands.upto) w) l
   where not l.is_kept;
  if ids is null then return; end if;
  if exists (select from svc_audit_partitions() p where p.beyond_id <= cutoff and coalesce(p.first_id <= ids[1], true) and p.beyond_id > ids[1]
              and svc_audit_may_go(p.called, p.beyond_id)) then return; end if;
  perform set_config('svc.retained', organization, true);
  delete from audit_events e where e.organization_id = organization and e.id = any (ids) and e.id < cutoff;
  get diagnostics removed = row_count;
  perform set_config('svc.retained', '', true);
  return next;
end $$;
comment on function svc_remove_audit_events is 'Removes events that their organization keeps no longer; up to which leaf, and how many there were.';

-- Whether that is announced and sealed for each of them.
create function svc_audit_all_announced(partition name) returns boolean language plpgsql stable as $$
declare
  organization text := '';
begin
  loop
    execute format('select min(organization_id) from %I where organization_id > $1', partition) into organization using organization;
    if organization is null then return true; end if;
    if not svc_audit_is_announced(organization) then return false; end if;
  end loop;
end $$;

-- One bounded step towards dropping a month that nobody keeps: it is looked through first, and dropped when every event in it is a leaf that was
-- announced. Who writes waits a tenth of a second at most while it is dropped; where that is not enough it is tried again later.
create function svc_drop_audit_partition(rows_max integer) returns table (called name, is_dropped boolean) language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  month record;
  stands audit_partition_checks;
  looked record;
  is_late boolean;
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
  -- Nobody says otherwise from here on, and nobody adds an event.
  lock table audit_retention in share mode;
  lock table only audit_events in access exclusive mode;
  execute format('lock table %I in access exclusive mode', month.called);
  execute format('select exists (select from %I where transaction_id >= $1)', month.called) into is_late using stands.as_of;
  delete from audit_partition_checks c where c.called = month.called;
  if not is_late and svc_audit_all_announced(month.called) and svc_audit_may_go(month.called, month.beyond_id) then
    execute format('drop table %I', month.called);
    is_dropped := true;
    return next;
  end if;
end $$;
comment on function svc_drop_audit_partition is 'Takes one step towards dropping the oldest month of events that nobody keeps; nothing where there is none.';

revoke all on function svc_remove_audit_events, svc_drop_audit_partition from public;
grant execute on function svc_remove_audit_events to svc_app;
grant execute on function svc_drop_audit_partition to svc_identity;
