-- Events lie in partitions by their ids, and these begin with the time: a range of ids is a range of time, and the key stays whole. A month of
-- events that nobody keeps any more is dropped as a whole, without a row being looked for.

create function svc_first_id(prefix text, since timestamptz) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((floor(extract(epoch from since) * 1000)::bigint >> (5 * place)) & 31)::int, 1),
    '' order by place desc) from generate_series(0, 9) as place $$;
comment on function svc_first_id is 'Before every identifier that is made from a time on, and behind all that are made before it.';

create function svc_month(away integer, of timestamptz default clock_timestamp()) returns timestamptz language sql stable parallel safe as $$
  select (date_trunc('month', of at time zone 'UTC') + away * interval '1 month') at time zone 'UTC' $$;
comment on function svc_month is 'When the month begins that is so many away, in UTC.';

-- What was there becomes the first partition as it stands: it is looked through once, and no row is written anew.
set local lock_timeout = '10s';
lock table audit_events in access exclusive mode;
alter table audit_events rename to audit_events_first;
alter index audit_events_pkey rename to audit_events_first_pkey;
alter index audit_events_by_subject rename to audit_events_first_by_subject;
alter index audit_events_by_transaction rename to audit_events_first_by_transaction;
alter index audit_events_of_before rename to audit_events_first_of_before;

create table audit_events (like audit_events_first including defaults including comments) partition by range (id);
comment on table audit_events is 'What happened, written in the transaction of the change. No role of the service may change or delete a row.';
alter table audit_events add primary key (organization_id, id);
create index audit_events_by_subject on audit_events (organization_id, subject_id, id);
create index audit_events_by_transaction on audit_events (transaction_id);
create index audit_events_of_before on audit_events (id) where transaction_id = '0';

-- Who may do what is said of the whole; a partition by itself is nobody's.
alter table audit_events enable row level security;
alter table audit_events force row level security;
do $$
declare
  given record;
begin
  for given in select p.* from pg_policies p where p.schemaname = 'public' and p.tablename = 'audit_events_first' loop
    execute format('create policy %I on audit_events as %s for %s to %s %s %s', given.policyname, given.permissive, given.cmd,
      (select string_agg(quote_ident(r), ', ') from unnest(given.roles) r),
      'using (' || given.qual || ')', 'with check (' || given.with_check || ')');
    if given.policyname <> 'read_by_the_owner' then execute format('drop policy %I on audit_events_first', given.policyname); end if;
  end loop;
  for given in
    select r.rolname, a.privilege_type, '' as columns
      from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
     where c.oid = 'audit_events_first'::regclass and a.grantee <> c.relowner
    union all
    select r.rolname, x.privilege_type, format('(%s)', string_agg(quote_ident(a.attname), ', ' order by a.attnum))
      from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) x join pg_roles r on r.oid = x.grantee
     where c.oid = 'audit_events_first'::regclass and x.grantee <> c.relowner group by 1, 2
  loop
    execute format('grant %s %s on audit_events to %I', given.privilege_type, given.columns, given.rolname);
    execute format('revoke %s %s on audit_events_first from %I', given.privilege_type, given.columns, given.rolname);
  end loop;
end $$;

-- A partition by itself: seen by nobody but the owner, and cleaned up as 0015 says.
create function svc_close_audit_partition(called name) returns void language plpgsql as $$
begin
  execute format('alter table %I set (autovacuum_vacuum_insert_threshold = 1000000, autovacuum_vacuum_cost_delay = 20)', called);
  execute format('alter table %I enable row level security', called);
  execute format('alter table %I force row level security', called);
  execute format('drop policy if exists read_by_the_owner on %I', called);
  execute format('create policy read_by_the_owner on %I for select to %I using (true)', called, current_user);
end $$;

-- Takes what no month has been made for: a month that is missing stops no decision and loses no event.
create table audit_events_default (like audit_events including defaults);
select svc_close_audit_partition('audit_events_default');
alter table audit_events attach partition audit_events_default default;

-- Identifiers of a clock that was far ahead lie in no month that there is yet.
do $$
declare
  bound constant text := svc_first_id('evt', svc_month(1));
  in_bounds constant text := format('alter table audit_events_first add constraint audit_events_first_is_before check (id < %L)', bound);
begin
  begin
    execute in_bounds;
  exception when check_violation then
    alter table audit_events_first no force row level security;
    alter table audit_events_default no force row level security;
    with moved as (delete from audit_events_first where id >= bound returning *) insert into audit_events_default select * from moved;
    alter table audit_events_first force row level security;
    alter table audit_events_default force row level security;
    execute in_bounds;
  end;
  execute format('alter table audit_events attach partition audit_events_first for values from (minvalue) to (%L)', bound);
  -- What it proved is said by the bounds from now on.
  alter table audit_events_first drop constraint audit_events_first_is_before;
end $$;

create function svc_audit_partitions() returns table (called name, first_id text, beyond_id text) language sql stable as $$
  select c.relname, substring(b.bound from $r$FROM \('([^']*)'\)$r$), substring(b.bound from $r$TO \('([^']*)'\)$r$)
    from pg_inherits i join pg_class c on c.oid = i.inhrelid, lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
   where i.inhparent = 'audit_events'::regclass and b.bound <> 'DEFAULT' order by 3 $$;
comment on function svc_audit_partitions is 'Partitions of the events with the identifiers that they are for, from one (null for all before) up to another, which is not in it.';

-- Makes the partitions of this month and the three to come, where they are missing. A reader of the whole is kept waiting for a moment, and no
-- writer: only what the default holds is looked at. What it holds of a month is moved there, or that month stays there if it is much.
create function svc_make_audit_partitions() returns integer language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  kept_whole constant integer := 10000;
  since text;
  beyond text;
  called name;
  held bigint;
  made integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('svc_make_audit_partitions', 0)) then return 0; end if;
  select max(p.beyond_id) into since from svc_audit_partitions() p;
  for away in 0..3 loop
    beyond := svc_first_id('evt', svc_month(away + 1));
    continue when since >= beyond;
    called := 'audit_events_' || to_char(svc_month(away) at time zone 'UTC', 'YYYY_MM');
    select count(*) into held from (select from audit_events_default d where d.id >= since and d.id < beyond limit kept_whole + 1) as found;
    if held <= kept_whole then
      execute format('create table %I (like audit_events including defaults)', called);
      if held > 0 then
        alter table audit_events_default no force row level security;
        execute format('with moved as (delete from audit_events_default where id >= %L and id < %L returning *) insert into %I select * from moved', since, beyond, called);
        alter table audit_events_default force row level security;
      end if;
      perform svc_close_audit_partition(called);
      execute format('alter table audit_events attach partition %I for values from (%L) to (%L)', called, since, beyond);
      made := made + 1;
    end if;
    since := beyond;
  end loop;
  return made;
end $$;
comment on function svc_make_audit_partitions is 'Makes partitions ahead of the events to come; how many.';
revoke all on function svc_close_audit_partition, svc_make_audit_partitions from public;
grant execute on function svc_make_audit_partitions to svc_identity;

select svc_make_audit_partitions();
set local lock_timeout to default;
