-- A change narrows, ends what was active, or moves nothing but the expiry: to a later time, and not beyond the delegation above.
-- Reads the delegation above also for a caller that is limited to a part of the organization.
create or replace function svc_delegation_narrowed() returns trigger language plpgsql as $$
declare
  above delegations;
  workspace text := coalesce(current_setting('svc.workspace_id', true), '');
  environment text := coalesce(current_setting('svc.environment_id', true), '');
begin
  if old.status <> 'ACTIVE' then
    if to_jsonb(new) - 'ends_below' is distinct from to_jsonb(old) - 'ends_below' then
      raise exception 'a delegation that has ended stays as it is';
    end if;
    return new;
  end if;
  if new.status <> 'ACTIVE' then return new; end if;
  if old.expires_at is not null and (new.expires_at is null or new.expires_at > old.expires_at) then
    if to_jsonb(new) - '{expires_at,version,updated_at}'::text[] is distinct from to_jsonb(old) - '{expires_at,version,updated_at}'::text[] then
      raise exception 'an extension of a delegation changes only its expiry';
    end if;
    if new.parent_id is not null then
      perform set_config('svc.workspace_id', '', true), set_config('svc.environment_id', '', true);
      select * into above from delegations d where d.organization_id = new.organization_id and d.id = new.parent_id;
      perform set_config('svc.workspace_id', workspace, true), set_config('svc.environment_id', environment, true);
      if above.id is null or (above.expires_at is not null and (new.expires_at is null or new.expires_at > above.expires_at)) then
        raise exception 'a delegation lasts longer than its parent';
      end if;
    end if;
    return new;
  end if;
  if (old.capabilities is not null and (new.capabilities is null or not new.capabilities <@ old.capabilities))
     or (old.environments is not null and (new.environments is null or not new.environments <@ old.environments))
     or (old.tools is not null and new.tools is null)
     or (old.destinations is not null and new.destinations is null)
     or (old.max_amount is not null and (new.max_amount is null or (new.currency = old.currency and new.max_amount > old.max_amount)))
     or (old.max_calls is not null and (new.max_calls is null or new.max_calls > old.max_calls))
     or (new.can_redelegate and not old.can_redelegate)
     or new.max_depth > old.max_depth then
    raise exception 'a delegation never widens';
  end if;
  return new;
end $$;
