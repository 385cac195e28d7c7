-- Where a row stands follows from its parent and its agents, whatever the statement says; and nothing starts wider than its parent.
-- Reads the whole chain, also for a caller that is limited to a part of the organization: the limits are put aside in here, and not as
-- settings of the function, which only a superuser could give it.
create or replace function svc_delegation_placed() returns trigger language plpgsql as $$
declare
  above delegations;
  agent record;
  workspace text := coalesce(current_setting('svc.workspace_id', true), '');
  environment text := coalesce(current_setting('svc.environment_id', true), '');
begin
  perform set_config('svc.workspace_id', '', true), set_config('svc.environment_id', '', true);
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
  perform set_config('svc.workspace_id', workspace, true), set_config('svc.environment_id', environment, true);
  return new;
end $$;
