-- The labels of a delegating agent count for its delegates: those of the context in which it delegated, or of all its contexts.
alter table delegations add column context_name text;
comment on column delegations.context_name is 'Flow context of the session in which the agent delegated; empty if it named none, null if it is unknown.';

-- Moves the epochs of an agent and of all that hold an active delegation from it, directly or through others, in the order of their ids.
-- A delegation of the same moment holds the epoch of the delegating agent until it commits, so a second look finds it.
create function svc_bump_with_delegates(organization text, giver text) returns void language plpgsql as $$
declare
  bumped text[] := svc_delegates_below(organization, giver);
begin
  perform svc_bump_agent(organization, b.agent) from (select unnest(bumped) as agent) b;
  perform svc_bump_agent(organization, b.agent) from (
    select unnest(svc_delegates_below(organization, giver)) as agent except select unnest(bumped) order by agent) b;
end $$;

create function svc_delegates_below(organization text, giver text) returns text[] language plpgsql as $$
begin
  return array(
    with recursive below as (
      select giver as agent
       union
      select d.delegate_agent_id from below b
        join delegations d on d.organization_id = organization and d.delegator_agent_id = b.agent and d.status = 'ACTIVE')
    select agent from below order by agent);
end $$;

create or replace function svc_context_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'last_used_at' = to_jsonb(old) - 'last_used_at' then
    return null;
  end if;
  if tg_op = 'UPDATE' and new.labels = old.labels and new.sources = old.sources and new.is_overflowing = old.is_overflowing
     and new.name = old.name then
    perform svc_bump_agent(new.organization_id, new.agent_id);
    return null;
  end if;
  perform svc_bump_with_delegates(coalesce(new.organization_id, old.organization_id), coalesce(new.agent_id, old.agent_id));
  return null;
end $$;

create function svc_delegation_inherits() returns trigger language plpgsql as $$
begin
  perform svc_bump_with_delegates(new.organization_id, new.delegator_agent_id);
  return null;
end $$;
revoke all on function svc_delegation_inherits from public;
create trigger delegation_inherits_labels after insert on delegations
  for each row when (new.delegator_agent_id is not null) execute function svc_delegation_inherits();

-- A use by a delegate is a use of the contexts that it inherits from, so that they do not end before its own.
create policy delegations_inherited on delegations for select to svc_reader using (true);
grant select (organization_id, delegate_agent_id, delegator_agent_id, status) on delegations to svc_reader;
