-- An epoch that was given is never given again: not by a standby that was promoted without the last changes, nor by a backup. A gateway that
-- holds what those changes led to would otherwise take its state for the newest as soon as as many changes were made anew.
create or replace function svc_next_epoch(before bigint) returns bigint language sql volatile
  return greatest(before + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint);
comment on function svc_next_epoch is 'The moment of the change in microseconds, or one more than before where that is later.';

create or replace function svc_bump_environment(organization text, environment text) returns void language plpgsql as $$
begin
  update environment_epochs e set epoch = svc_next_epoch(e.epoch) where e.organization_id = organization and e.environment_id = environment;
end $$;

create or replace function svc_bump_agent(organization text, agent text) returns void language plpgsql as $$
begin
  update agent_epochs e set epoch = svc_next_epoch(e.epoch) where e.organization_id = organization and e.agent_id = agent;
end $$;
