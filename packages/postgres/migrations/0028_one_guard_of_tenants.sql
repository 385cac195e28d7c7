-- What keeps tenants apart in a table, written once. A new table of tenants is guarded by its own migration:
--   select svc_guard('webhooks', array['svc_app', 'svc_gateway']);
-- It has an organization_id. If it has a workspace_id and an environment_id too, callers that are limited to one are kept to it, unless
-- `narrowed` says otherwise: 'place' for every command, 'reading' for reading alone, 'none' where the table is narrowed by policies of its own.
create function svc_guard(guarded regclass, roles text[], narrowed text default null) returns void language plpgsql as $$
declare
  called constant name := (select relname from pg_class where oid = guarded);
  holders constant text := (select string_agg(quote_ident(r), ', ' order by n) from unnest(roles) with ordinality as given (r, n));
  has_place constant boolean := 2 = (select count(*) from pg_attribute
    where attrelid = guarded and attname in ('workspace_id', 'environment_id') and not attisdropped);
  reach constant text := coalesce(narrowed, case when has_place then 'place' else 'none' end);
  -- What lies in a place is seen as agents are, which says it once: a change of how callers are limited changes that policy, and guards anew.
  as_agents_are constant text := (select pg_get_expr(polqual, polrelid) from pg_policy
    where polrelid = 'agents'::regclass and polname = 'agents_in_scope');
begin
  if reach not in ('place', 'reading', 'none') then raise exception '% is no way to narrow a table', reach; end if;
  execute format('alter table %s enable row level security', guarded);
  execute format('alter table %s force row level security', guarded);
  execute format('drop policy if exists %I on %s', called || '_of_the_tenant', guarded);
  execute format('create policy %I on %s for all to %s using (organization_id = svc_organization()) with check (organization_id = svc_organization())',
    called || '_of_the_tenant', guarded, holders);
  if reach = 'none' then return; end if;
  execute format('drop policy if exists %I on %s', called || '_in_scope', guarded);
  execute format('create policy %I on %s as restrictive for %s to %s using (%s)',
    called || '_in_scope', guarded, case reach when 'reading' then 'select' else 'all' end, holders, as_agents_are);
end $$;
comment on function svc_guard is 'Keeps the rows of a table to their tenant, and to the place of a caller that is limited to one.';
revoke all on function svc_guard from public;
