create table counters (
  organization_id text not null,
  counter text not null,
  total numeric not null default 0,
  last_used_at timestamptz not null default '-infinity',
  primary key (organization_id, counter)
) with (fillfactor = 50);
comment on table counters is 'What a limit or a ceiling counts, over all time. Whoever takes from one holds its row until the decision is recorded.';

create table counter_uses (
  organization_id text not null,
  counter text not null,
  total numeric not null,
  amount numeric not null,
  used_at timestamptz not null,
  kept_until timestamptz not null,
  primary key (organization_id, counter, total)
);
create index counter_uses_by_end on counter_uses (kept_until);
comment on table counter_uses is 'One use each of a counter with a window.';
comment on column counter_uses.total is 'Of the counter with this use: so that a single row tells whether enough has left a window, however many uses there are.';

-- Decides for each decision of `asked` whether its claims fit, and takes them when all of its own do. Answers one row each:
--   taken     everything it claims was taken; the statement that asked records the decision
--   moved     an epoch of the decision is no longer the newest; nothing was taken
--   key_used  the idempotency key was used before; nothing was taken
--   lost      a claim does not fit; nothing was taken. claim says which, frees_at when it will fit, null when it never will
-- `asked`: counters [[organization, counter]] in the order in which everybody locks them, take (false only looks), decisions
-- [{organization_id, workspace_id, environment_id, agent_id, environment_epoch, agent_epoch, principal_id, idempotency_key,
--   claims: [{counter: place in counters from 1, claim, amount, max, window_seconds}]}].
create function svc_take_claims(asked jsonb) returns table (n integer, outcome text, claim integer, frees_at timestamptz, frees_in_seconds numeric)
language plpgsql as $$
declare
  is_taking constant boolean := (asked ->> 'take')::boolean;
  totals numeric[] := '{}';
  used_last timestamptz[] := '{}';
  counted record;
  made jsonb;
  part jsonb;
  place integer;
  total_now numeric;
  last_now timestamptz;
  moment timestamptz;
  wanted numeric;
  needed numeric;
  span interval;
  crossing record;
  frees timestamptz;
  is_lost boolean;
begin
  for counted in select c ->> 0 as organization, c ->> 1 as name from jsonb_array_elements(asked -> 'counters') with ordinality as l (c, at) order by at loop
    total_now := null;
    if is_taking then
      select k.total, k.last_used_at into total_now, last_now from counters k
       where k.organization_id = counted.organization and k.counter = counted.name for update;
      if not found then
        insert into counters (organization_id, counter) values (counted.organization, counted.name) on conflict do nothing;
        select k.total, k.last_used_at into total_now, last_now from counters k
         where k.organization_id = counted.organization and k.counter = counted.name for update;
      end if;
    else
      select k.total, k.last_used_at into total_now, last_now from counters k
       where k.organization_id = counted.organization and k.counter = counted.name;
    end if;
    totals := totals || coalesce(total_now, 0);
    used_last := used_last || coalesce(last_now, '-infinity');
  end loop;
  -- Taken when nobody else can count here any more, so that uses are in the order of their times.
  moment := clock_timestamp();

  n := 0;
  for made in select d from jsonb_array_elements(asked -> 'decisions') with ordinality as l (d, at) order by at loop
    n := n + 1;
    claim := null; frees_at := null; frees_in_seconds := null;
    if is_taking then
      if not exists (select from environment_epochs e
          join agent_epochs a on a.organization_id = e.organization_id and a.environment_id = e.environment_id
          where e.organization_id = made ->> 'organization_id' and e.environment_id = made ->> 'environment_id'
            and e.workspace_id = made ->> 'workspace_id' and e.epoch = (made ->> 'environment_epoch')::bigint
            and a.agent_id = made ->> 'agent_id' and a.epoch = (made ->> 'agent_epoch')::bigint) then
        outcome := 'moved';
        return next;
        continue;
      end if;
      if made ->> 'idempotency_key' is not null and (
        exists (select from actions x where x.organization_id = made ->> 'organization_id'
            and x.principal_id = made ->> 'principal_id' and x.idempotency_key = made ->> 'idempotency_key')
        or exists (select from approvals p where p.organization_id = made ->> 'organization_id'
            and p.agent_id = made ->> 'principal_id' and p.consumed_by_key = made ->> 'idempotency_key')) then
        outcome := 'key_used';
        return next;
        continue;
      end if;
    end if;

    is_lost := false;
    for part in select c from jsonb_array_elements(made -> 'claims') as l (c) loop
      place := (part ->> 'counter')::integer;
      wanted := (part ->> 'amount')::numeric;
      needed := totals[place] + wanted - (part ->> 'max')::numeric;
      continue when wanted = 0 or (needed <= 0 and wanted <= (part ->> 'max')::numeric);
      frees := null;
      if part ->> 'window_seconds' is not null and wanted <= (part ->> 'max')::numeric then
        span := make_interval(secs => (part ->> 'window_seconds')::double precision);
        -- The use with which the counter passed what has to be gone. Everything up to it must have left the window.
        select u.total - u.amount as before, u.used_at into crossing from counter_uses u
         where u.organization_id = made ->> 'organization_id' and u.counter = asked -> 'counters' -> (place - 1) ->> 1 and u.total >= needed
         order by u.total limit 1;
        -- When it is not kept any more it lies further back than any window.
        continue when not found or crossing.before >= needed or crossing.used_at <= moment - span;
        frees := crossing.used_at + span;
      end if;
      -- Of several that do not fit, the one that takes longest is told.
      if not is_lost or (frees_at is not null and (frees is null or frees > frees_at)) then
        claim := (part ->> 'claim')::integer;
        frees_at := frees;
      end if;
      is_lost := true;
    end loop;
    if is_lost then
      outcome := 'lost';
      frees_in_seconds := extract(epoch from frees_at - moment);
      return next;
      continue;
    end if;

    if is_taking then
      for part in select c from jsonb_array_elements(made -> 'claims') as l (c) loop
        place := (part ->> 'counter')::integer;
        wanted := (part ->> 'amount')::numeric;
        continue when wanted = 0;
        totals[place] := totals[place] + wanted;
        used_last[place] := greatest(used_last[place], moment);
        continue when part ->> 'window_seconds' is null;
        insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until)
        values (made ->> 'organization_id', asked -> 'counters' -> (place - 1) ->> 1, totals[place], wanted, used_last[place],
          used_last[place] + make_interval(secs => greatest((part ->> 'window_seconds')::double precision, 2678400)));
      end loop;
    end if;
    outcome := 'taken';
    return next;
  end loop;

  if is_taking then
    for counted in select c ->> 0 as organization, c ->> 1 as name, at from jsonb_array_elements(asked -> 'counters') with ordinality as l (c, at) order by at loop
      update counters k set total = totals[counted.at], last_used_at = used_last[counted.at]
       where k.organization_id = counted.organization and k.counter = counted.name and k.total <> totals[counted.at];
    end loop;
  end if;
end $$;

do $$
declare
  t text;
begin
  foreach t in array array['counters', 'counter_uses']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I for all to svc_app using (organization_id = svc_organization()) with check (organization_id = svc_organization())',
      t || '_of_the_tenant', t);
    execute format('create policy %I on %I for all to svc_recorder using (true) with check (true)', t || '_counted', t);
    execute format('grant select, insert on %I to svc_app, svc_recorder', t);
  end loop;
end $$;
grant update on counters to svc_app, svc_recorder;
grant delete on counter_uses to svc_app;

-- What a clock does for every tenant: svc_identity learns where there is work, svc_app does it tenant by tenant.
create policy counter_uses_swept on counter_uses for select to svc_identity using (true);
grant select (organization_id, kept_until) on counter_uses to svc_identity;
