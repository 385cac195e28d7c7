create table delegations (
  organization_id text not null,
  id text not null,
  parent_id text,
  path text collate "C" not null,
  depth integer not null,
  delegator_user_id text references users (id),
  delegator_agent_id text,
  delegate_agent_id text not null,
  workspace_ids text[] not null,
  environment_ids text[] not null,
  capabilities text[],
  tools text[],
  environments text[],
  destinations text[],
  max_amount bigint,
  currency text,
  max_calls bigint,
  window_seconds integer,
  expires_at timestamptz,
  can_redelegate boolean not null default false,
  max_depth integer not null default 0,
  status text not null default 'ACTIVE',
  version integer not null default 1,
  created_by_type text not null,
  created_by_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  ended_reason text,
  ends_below boolean not null default false,
  primary key (organization_id, id),
  constraint delegations_id_is_unique unique (id),
  constraint delegations_path_is_unique unique (organization_id, path),
  constraint delegations_have_a_delegate unique (organization_id, id, delegate_agent_id),
  -- What hangs below a delegation is passed on by the agent that was given it, in the same organization.
  constraint delegations_come_from_the_delegate_above foreign key (organization_id, parent_id, delegator_agent_id)
    references delegations (organization_id, id, delegate_agent_id),
  constraint delegations_are_made_out_to_an_agent foreign key (organization_id, delegate_agent_id) references agents (organization_id, id),
  constraint delegations_come_from_an_agent foreign key (organization_id, delegator_agent_id) references agents (organization_id, id),
  constraint delegations_have_one_delegator check (num_nonnulls(delegator_user_id, delegator_agent_id) = 1),
  constraint delegations_below_another_come_from_an_agent check (parent_id is null or delegator_agent_id is not null),
  constraint delegations_are_not_to_oneself check (delegator_agent_id <> delegate_agent_id),
  constraint delegations_without_a_parent_are_roots check ((parent_id is null) = (depth = 0)),
  constraint delegations_chain_is_bounded check (depth < 16 and max_depth between 0 and 15),
  constraint delegations_status_is_known check (status in ('ACTIVE', 'REVOKED', 'EXPIRED')),
  constraint delegations_end_is_whole check ((status = 'ACTIVE') = (ended_at is null)),
  constraint delegations_amount_has_a_currency check ((max_amount is null) = (currency is null)),
  constraint delegations_ceilings_are_not_negative check (max_amount >= 0 and max_calls >= 0 and window_seconds > 0)
);
create index delegations_by_delegate on delegations (organization_id, delegate_agent_id);
create index delegations_by_delegator_agent on delegations (organization_id, delegator_agent_id) where delegator_agent_id is not null;
create index delegations_of_own_grants on delegations (organization_id, delegator_agent_id) where parent_id is null and delegator_agent_id is not null;
create index delegations_by_parent on delegations (organization_id, parent_id) where parent_id is not null;
create index delegations_ending_below on delegations (organization_id) where ends_below;
create index delegations_running_out on delegations (expires_at) where status = 'ACTIVE' and expires_at is not null;
comment on table delegations is 'Authority handed to an agent. A link narrows and never adds; null in a bound bounds nothing.';
comment on column delegations.path is 'Ids from the root to this one, joined by /. A row and all below it lie from its path up to its path followed by 0, the character after /.';
comment on column delegations.workspace_ids is 'Of every agent in the chain, so that whoever sees a link sees all that hangs below it.';
comment on column delegations.version is 'Moves with each change.';
comment on column delegations.ends_below is 'It ended, and some that hang below it may not say so yet. They bind nothing: a chain holds only while every link does.';

-- Where a row stands follows from its parent and its agents, whatever the statement says; and nothing starts wider than its parent.
-- Reads the whole chain, also for a caller that is limited to a part of the organization.
create function svc_delegation_placed() returns trigger language plpgsql as $$
declare
  above delegations;
  agent record;
begin
  new.path := new.id;
  new.depth := 0;
  new.workspace_ids := '{}';
  new.environment_ids := '{}';
  if new.parent_id is not null then
    select * into above from delegations d where d.organization_id = new.organization_id and d.id = new.parent_id;
    if not found then raise exception 'a delegation hangs below one that is not there'; end if;
    if above.status <> 'ACTIVE' or not above.can_redelegate or new.max_depth >= above.max_depth
       or (above.expires_at is not null and (new.expires_at is null or new.expires_at > above.expires_at))
       or (above.capabilities is not null and (new.capabilities is null or not new.capabilities <@ above.capabilities))
       or (above.environments is not null and (new.environments is null or not new.environments <@ above.environments)) then
      raise exception 'a delegation starts wider than its parent';
    end if;
    if exists (select from delegations d where d.organization_id = new.organization_id and d.id = any (string_to_array(above.path, '/'))
                 and new.delegate_agent_id in (d.delegate_agent_id, d.delegator_agent_id)) then
      raise exception 'a delegation comes back to an agent of its chain';
    end if;
    new.path := above.path || '/' || new.id;
    new.depth := above.depth + 1;
    new.workspace_ids := above.workspace_ids;
    new.environment_ids := above.environment_ids;
  end if;
  for agent in select a.workspace_id, a.environment_id from agents a
                where a.organization_id = new.organization_id and a.id in (new.delegate_agent_id, new.delegator_agent_id) loop
    if not agent.workspace_id = any (new.workspace_ids) then new.workspace_ids := new.workspace_ids || agent.workspace_id; end if;
    if not agent.environment_id = any (new.environment_ids) then new.environment_ids := new.environment_ids || agent.environment_id; end if;
  end loop;
  return new;
end $$;
create trigger delegation_is_placed before insert on delegations for each row execute function svc_delegation_placed();

-- The last line behind the rules of the domain: a change narrows, or ends what was active.
create function svc_delegation_narrowed() returns trigger language plpgsql as $$
begin
  if old.status <> 'ACTIVE' then
    if to_jsonb(new) - 'ends_below' is distinct from to_jsonb(old) - 'ends_below' then
      raise exception 'a delegation that has ended stays as it is';
    end if;
    return new;
  end if;
  if new.status <> 'ACTIVE' then return new; end if;
  if (old.capabilities is not null and (new.capabilities is null or not new.capabilities <@ old.capabilities))
     or (old.environments is not null and (new.environments is null or not new.environments <@ old.environments))
     or (old.tools is not null and new.tools is null)
     or (old.destinations is not null and new.destinations is null)
     or (old.max_amount is not null and (new.max_amount is null or (new.currency = old.currency and new.max_amount > old.max_amount)))
     or (old.max_calls is not null and (new.max_calls is null or new.max_calls > old.max_calls))
     or (old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at))
     or (new.can_redelegate and not old.can_redelegate)
     or new.max_depth > old.max_depth then
    raise exception 'a delegation never widens';
  end if;
  return new;
end $$;
create trigger delegation_only_narrows before update on delegations for each row execute function svc_delegation_narrowed();

-- Epochs are moved in the order of the agents' ids, so that two changes at the same moment wait for each other and never in a circle.
-- Below a delegation stands what hangs below it, and, when it was made by a person, also all that its delegate handed on: what of that begins
-- with grants holds only while nobody made the delegate act under a delegation.
create function svc_agents_below(organization text, changed text[]) returns table (agent text) language plpgsql stable as $$
declare
  led_by_people text[];
  own text[] := '{}';
  found_so_far text[] := '{}';
  top record;
begin
  select array_agg(d.delegate_agent_id) into led_by_people from delegations d
   where d.organization_id = organization and d.id = any (changed) and d.delegator_user_id is not null;
  if led_by_people is not null then
    select coalesce(array_agg(d.id), '{}') into own from delegations d
     where d.organization_id = organization and d.parent_id is null and d.delegator_agent_id = any (led_by_people);
  end if;
  -- One walk along the index each, but for what hangs below another one of them: that is found from there.
  for top in select d.path from delegations d
              where d.organization_id = organization and d.id = any (changed || own) and (d.parent_id is null or d.parent_id <> all (changed)) loop
    found_so_far := found_so_far || array(select distinct d.delegate_agent_id from delegations d
      where d.organization_id = organization and d.path >= top.path and d.path < top.path || '0');
  end loop;
  return query select distinct f.id from unnest(found_so_far) as f (id) order by f.id;
end $$;

create function svc_delegation_changed() returns trigger language plpgsql as $$
begin
  perform svc_bump_agent(b.organization_id, b.agent) from (
    select c.organization_id, a.agent
      from (select organization_id, array_agg(id) as ids from changed group by organization_id) c,
           svc_agents_below(c.organization_id, c.ids) a
     order by a.agent) b;
  return null;
end $$;
create trigger delegation_moves_the_epoch after insert on delegations
  referencing new table as changed for each statement execute function svc_delegation_changed();
create trigger delegation_moves_every_epoch_below after update on delegations
  referencing new table as changed for each statement execute function svc_delegation_changed();

-- What an agent holds, and whether it is in operation, bounds all that it passed on.
create function svc_bump_agent_and_below(organization text, bumped text) returns void language plpgsql as $$
begin
  perform svc_bump_agent(organization, b.below) from (
    select bumped as below
     union
    select a.agent from svc_agents_below(organization, array(select d.id from delegations d
      where d.organization_id = organization and d.status = 'ACTIVE' and (d.delegate_agent_id = bumped or d.delegator_agent_id = bumped))) a
     order by below) b;
end $$;

create or replace function svc_agent_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into agent_epochs (organization_id, agent_id, environment_id) values (new.organization_id, new.id, new.environment_id);
  elsif new.status is distinct from old.status then
    perform svc_bump_agent_and_below(new.organization_id, new.id);
  else
    perform svc_bump_agent(new.organization_id, new.id);
  end if;
  return null;
end $$;

create function svc_agent_capability_changed() returns trigger language plpgsql as $$
begin
  perform svc_bump_agent_and_below(coalesce(new.organization_id, old.organization_id), coalesce(new.agent_id, old.agent_id));
  return null;
end $$;
drop trigger agent_capability_moves_the_epoch on agent_capabilities;
create trigger agent_capability_moves_the_epoch after insert or update or delete on agent_capabilities
  for each row execute function svc_agent_capability_changed();

alter table environments add column requires_delegation boolean not null default false;
comment on column environments.requires_delegation is 'Whether an agent may act here only under a delegation.';

alter table delegations enable row level security;
alter table delegations force row level security;
create policy delegations_of_the_tenant on delegations for all to svc_app
  using (organization_id = svc_organization()) with check (organization_id = svc_organization());
-- A narrower caller sees every chain that an agent of its scope has a part in, from there down.
create policy delegations_in_scope on delegations as restrictive to svc_app using (
  case when svc_workspace() is null then true else svc_workspace() = any (workspace_ids) end
  and case when svc_environment() is null then true else svc_environment() = any (environment_ids) end);
grant select, insert on delegations to svc_app;
grant update (capabilities, tools, environments, destinations, max_amount, currency, max_calls, window_seconds, expires_at, can_redelegate,
  max_depth, status, version, updated_at, ended_at, ended_reason, ends_below) on delegations to svc_app;

-- A clock ends what has run out: svc_identity learns where, svc_app does it tenant by tenant.
create policy delegations_swept on delegations for select to svc_identity using (true);
grant select (organization_id, status, expires_at, ends_below) on delegations to svc_identity;
