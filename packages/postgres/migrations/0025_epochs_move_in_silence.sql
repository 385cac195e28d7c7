-- An epoch is compared where it is read: nobody waits for word that it has moved, so none is sent.
create or replace function svc_bump_environment(organization text, environment text) returns void language plpgsql as $$
begin
  update environment_epochs e set epoch = e.epoch + 1 where e.organization_id = organization and e.environment_id = environment;
end $$;

create or replace function svc_bump_agent(organization text, agent text) returns void language plpgsql as $$
begin
  update agent_epochs e set epoch = e.epoch + 1 where e.organization_id = organization and e.agent_id = agent;
end $$;
