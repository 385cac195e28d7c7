-- Searches of the record that people and keys keep by name, for themselves or for all who may read it.
create table audit_searches (
  organization_id text not null references organizations (id),
  id text primary key,
  owner_type text not null,
  owner_id text not null,
  name text not null,
  filter json not null,
  shared boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint audit_searches_name_is_unique unique (organization_id, owner_id, name)
);
comment on table audit_searches is 'Searches of the audit record that are kept by name.';
comment on column audit_searches.filter is 'As a search takes it, without its page.';
comment on column audit_searches.shared is 'Whether all who may read the record of the whole organization see it.';
create index audit_searches_shared on audit_searches (organization_id, id) where shared;
select svc_guard('audit_searches', array['svc_app']);
grant select, insert, update, delete on audit_searches to svc_app;

-- The lowest identifier among events of the organization that the sealer has not come to, as before; but planned for the place that it is asked
-- for. Planned for any place, all of the record is read for the few events at its end. Among events of before transactions were counted
-- nothing is known.
create or replace function svc_lowest_unsealed(looked_at_max integer) returns table (is_known boolean, lowest text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  place feed_positions;
begin
  select * into place from feed_positions where consumer = 'seal-events';
  if not found or place.transaction_id = '0' then return query select false, null::text; return; end if;
  return query execute format('
    with behind as materialized (
      select organization_id, id from audit_events
       where transaction_id > ''0'' and transaction_id >= %1$L::xid8 and (transaction_id > %1$L::xid8 or id > %2$L)
       order by transaction_id limit %3$s
    )
    select count(*) < %3$s, min(id) filter (where organization_id = svc_organization()) from behind', place.transaction_id, place.id, looked_at_max);
end $$;
