-- When an agent ends bounds what it passed on as its status does: those below are decided on a state that holds it.
create or replace function svc_agent_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into agent_epochs (organization_id, agent_id, environment_id) values (new.organization_id, new.id, new.environment_id);
  elsif new.status is distinct from old.status or new.expires_at is distinct from old.expires_at then
    perform svc_bump_agent_and_below(new.organization_id, new.id);
  else
    perform svc_bump_agent(new.organization_id, new.id);
  end if;
  return null;
end $$;
