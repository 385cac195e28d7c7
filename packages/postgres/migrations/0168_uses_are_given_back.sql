-- A use names its action, so that it can be given back when the call of that action was never sent.
alter table counter_uses add column action_id text;
comment on column counter_uses.action_id is 'The action that took the use. Null in uses from before this was kept.';

-- As in 0138, and stores the action of each use.
create or replace function svc_take_claims(asked jsonb) returns table (n integer, outcome text, claim integer, frees_at timestamptz, frees_in_seconds numeric)
language plpgsql as $$
declare
  is_taking constant boolean := (asked ->> 'take')::boolean;
  totals numeric[] := '{}';
  used_last timestamptz[] := '{}';
  is_unfit boolean[] := '{}';
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
    is_unfit := is_unfit || (found and coalesce(total_now < 0 or total_now in ('NaN', 'Infinity'), true));
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
      continue when wanted = 0 or (not is_unfit[place] and needed <= 0 and wanted <= (part ->> 'max')::numeric);
      frees := null;
      if not is_unfit[place] and part ->> 'window_seconds' is not null and wanted <= (part ->> 'max')::numeric then
        span := make_interval(secs => (part ->> 'window_seconds')::double precision);
        -- The use with which the counter passed what has to be gone. Everything up to it must have left the window.
        select u.total - u.amount as before, u.used_at,
               coalesce(u.amount > 0 and u.amount <> 'NaN' and u.total <> 'NaN' and isfinite(u.used_at), false) as is_fit
          into crossing from counter_uses u
         where u.organization_id = made ->> 'organization_id' and u.counter = asked -> 'counters' -> (place - 1) ->> 1 and u.total >= needed
         order by u.total limit 1;
        -- When it is not kept any more it lies further back than any window.
        continue when not found or (crossing.is_fit and (crossing.before >= needed or crossing.used_at <= moment - span));
        frees := case when crossing.is_fit then crossing.used_at + span end;
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
        insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until, action_id)
        values (made ->> 'organization_id', asked -> 'counters' -> (place - 1) ->> 1, totals[place], wanted, used_last[place],
          used_last[place] + make_interval(secs => greatest((part ->> 'window_seconds')::double precision, 2678400)), made ->> 'action_id');
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

-- Gives back what an action took, counter by counter in the order in which all callers lock them. `taken`: [{counter, amount, is_windowed}].
-- Later uses of a windowed counter are renumbered, so that each still tells the total up to it. A use that more than 1000 others
-- followed stays taken, which bounds the work. Returns how many counters gave back.
create function svc_give_back_claims(action text, taken jsonb) returns integer
language plpgsql as $$
declare
  organization constant text := svc_organization();
  part record;
  own counter_uses;
  later record;
  total_now numeric;
  given integer := 0;
begin
  for part in select t ->> 'counter' as counter, (t ->> 'amount')::numeric as amount, (t ->> 'is_windowed')::boolean as is_windowed
                from jsonb_array_elements(taken) with ordinality as l (t, at) order by at loop
    select k.total into total_now from counters k where k.organization_id = organization and k.counter = part.counter for update;
    continue when not found or part.amount <= 0 or total_now < part.amount or total_now in ('NaN', 'Infinity');
    if part.is_windowed then
      select newest.* into own
        from (select u.* from counter_uses u where u.organization_id = organization and u.counter = part.counter
               order by u.total desc limit 1001) as newest
       where newest.action_id = action;
      continue when not found or own.amount <> part.amount;
      delete from counter_uses u where u.organization_id = organization and u.counter = part.counter and u.total = own.total;
      -- Ascending, so that no two uses have the same total at any moment.
      for later in select u.total from counter_uses u where u.organization_id = organization and u.counter = part.counter and u.total > own.total
                    order by u.total loop
        update counter_uses u set total = u.total - part.amount
         where u.organization_id = organization and u.counter = part.counter and u.total = later.total;
      end loop;
    else
      continue when exists (select from counter_uses u where u.organization_id = organization and u.counter = part.counter
        and u.total > total_now - part.amount);
    end if;
    update counters k set total = k.total - part.amount where k.organization_id = organization and k.counter = part.counter;
    given := given + 1;
  end loop;
  return given;
end $$;
-- A gateway sets the totals of counters already: this lets it do nothing that it could not.
grant update (total), delete on counter_uses to svc_gateway;
