-- Networks from which people and keys of an organization may call; none named means any.
alter table organizations add column allowed_networks text[] not null default '{}';

-- Places that nobody works in any more are kept, and nothing acts in them.
alter table workspaces add column archived_at timestamptz;
alter table environments add column archived_at timestamptz;
create index approvals_open_by_environment on approvals (organization_id, environment_id, id) where status in ('PENDING', 'APPROVED');

-- What stops every agent below a workspace is seen by the next decision, as what stops an environment is.
create function svc_workspace_changed() returns trigger language plpgsql as $$
begin
  -- Always in the same order, so that two changes at the same moment wait for each other and never in a circle.
  perform svc_bump_environment(e.organization_id, e.environment_id) from (
    select organization_id, environment_id from environment_epochs
     where organization_id = new.organization_id and workspace_id = new.id order by environment_id) e;
  return null;
end $$;
create trigger workspace_moves_every_epoch_below after update on workspaces
  for each row when (old.archived_at is distinct from new.archived_at) execute function svc_workspace_changed();

grant select (organization_id, id, archived_at) on workspaces to svc_gateway;
alter policy workspaces_of_the_tenant on workspaces to svc_app, svc_gateway;
alter policy workspaces_in_scope on workspaces to svc_app, svc_gateway;

-- The end of an organization: asked for, then after a time of grace carried out.
alter table organizations
  add column deletes_at timestamptz,
  add column deletion_asked_at timestamptz,
  add column deletion_asked_by text,
  add column deletion_reason text,
  add constraint organizations_deletion_is_whole check (
    num_nulls(deletes_at, deletion_asked_at, deletion_asked_by, deletion_reason) in (0, 4));
create index organizations_by_end on organizations (deletes_at) where deletes_at is not null;

create table deletion_certificates (
  organization_id text primary key,
  asked_at timestamptz not null,
  asked_by text not null,
  reason text not null,
  began_at timestamptz not null,
  counts jsonb not null default '{}',
  people text[] not null default '{}',
  completed_at timestamptz,
  digest text,
  constraint deletion_certificates_are_whole check ((completed_at is null) = (digest is null))
);
comment on table deletion_certificates is 'What was deleted of an organization, by table, and that nothing is left. Outlives it, for whoever operates the database.';
select svc_guard('deletion_certificates', array['svc_app']);
grant select, insert, update on deletion_certificates to svc_app;
create policy deletion_certificates_told on deletion_certificates for select to svc_identity using (true);
grant select on deletion_certificates to svc_identity;

-- Whose rows a transaction removes, if any: policies let the owner remove these and no others.
create function svc_erased() returns text language sql stable parallel safe
  as $$ select nullif(current_setting('svc.erased', true), '') $$;

-- A setting can be made by anybody: only where the owner acts, which it does in the functions below alone, does it mean anything.
create function svc_is_erasing(organization text) returns boolean language sql stable as $$
  select coalesce(svc_erased() = organization, false)
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'organizations'::regclass) $$;
drop trigger activated_version_is_immutable on policy_versions;
create trigger activated_version_is_immutable before update or delete on policy_versions
  for each row when (not svc_is_erasing(old.organization_id)) execute function svc_keep_activated_version();

create function svc_outlives_its_tenant(called name) returns boolean language sql immutable parallel safe
  as $$ select called in ('audit_events', 'deletion_certificates') $$;
comment on function svc_outlives_its_tenant is 'Tables whose rows stay when their organization is deleted. Every other table with an organization_id is emptied of it.';

-- Every table that names a tenant, those first that refer to others: found in the catalogue, so that none is forgotten.
create function svc_tables_of_tenants() returns table (called name, has_id boolean) language sql stable as $$
  with recursive tenant as (
    select c.oid, c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not svc_outlives_its_tenant(c.relname)
  ), refers as (
    select distinct f.conrelid, f.confrelid from pg_constraint f where f.contype = 'f' and f.conrelid <> f.confrelid
  ), above as (
    select oid, 0 as steps from tenant
     union
    select r.confrelid, a.steps + 1 from above a join refers r on r.conrelid = a.oid where a.steps < 64
  )
  select t.relname, exists (select from pg_attribute i where i.attrelid = t.oid and i.attname = 'id' and not i.attisdropped)
    from tenant t join above a on a.oid = t.oid
   group by t.oid, t.relname order by max(a.steps), t.relname
$$;

-- Removes people who belong to no organization, with whatever is theirs and no organization's. One whom another organization's rows still
-- name keeps an identifier and nothing else.
create function svc_erase_people(people text[]) returns bigint language plpgsql as $$
declare
  person text;
  t record;
  removed bigint := 0;
begin
  foreach person in array people loop
    continue when exists (select from members where user_id = person);
    for t in
      select c.oid::regclass as called from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not exists (
               select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id' and not o.attisdropped)
       order by (select count(*) from pg_constraint f where f.confrelid = c.oid), c.relname
    loop
      execute format('delete from %s where user_id = $1', t.called) using person;
    end loop;
    begin
      delete from users where id = person;
    exception when foreign_key_violation then
      update users set email = lower(id) || '@removed.invalid', name = 'Removed person', password_hash = null where id = person;
    end;
    removed := removed + 1;
  end loop;
  return removed;
end $$;

-- One bounded step of removing an organization whose time has come: about `rows_max` rows, then its people, then itself. Runs as the owner,
-- since no role of the service may remove what this does.
create function svc_erase_organization(organization text, rows_max integer) returns table (called text, removed bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  t record;
  n bigint;
  room bigint := rows_max;
  leaving text[];
begin
  if organization is distinct from svc_organization() then return; end if;
  perform set_config('svc.erased', organization, true);
  perform from organizations o where o.id = organization and o.deletes_at <= clock_timestamp() for update;
  if not found then return; end if;
  for t in select * from svc_tables_of_tenants() loop
    if t.called = 'members' then
      update deletion_certificates c set people = c.people || array(
        select m.user_id from members m where m.organization_id = organization order by m.id desc limit room) where c.organization_id = organization;
    end if;
    execute format('delete from %I where ctid = any (array(select ctid from %I where organization_id = $1 %s limit $2))',
      t.called, t.called, case when t.has_id then 'order by id desc' else '' end) using organization, room;
    get diagnostics n = row_count;
    if n > 0 then
      called := t.called; removed := n; return next;
    end if;
    room := room - n;
    if room <= 0 then return; end if;
  end loop;
  -- A person costs a look at each table that names people.
  select c.people[1:50] into leaving from deletion_certificates c where c.organization_id = organization;
  if cardinality(leaving) > 0 then
    called := 'users'; removed := svc_erase_people(leaving); return next;
    update deletion_certificates c set people = c.people[51:] where c.organization_id = organization;
    if cardinality(leaving) = 50 then return; end if;
  end if;
  delete from organizations where id = organization;
  called := 'organizations'; removed := 1; return next;
end $$;
comment on function svc_erase_organization is 'Removes a part of what an organization has whose time of grace is over; what it removed, by table.';
revoke all on function svc_erase_people, svc_erase_organization from public;
grant execute on function svc_erase_organization to svc_app;
