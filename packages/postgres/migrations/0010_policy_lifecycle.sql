alter table policies add column suspended_at timestamptz, add column deleted_at timestamptz;
comment on column policies.suspended_at is 'Since when the policy is out of force, after it had been in force.';
comment on column policies.deleted_at is 'A deleted policy stays, since recorded actions name it; nothing shows it, binds it or brings it back.';

-- The name of a deleted policy is free again.
alter table policies drop constraint policies_name_is_unique;
create unique index policies_name_is_unique on policies (organization_id, name) where deleted_at is null;

-- A version says one thing for ever, drafts too: an edit is a new version. Only its status goes on, and only forwards.
create or replace function svc_keep_activated_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.status <> 'DRAFT' then raise exception 'an activated policy version cannot be deleted' using errcode = 'restrict_violation'; end if;
    return old;
  end if;
  if new.id <> old.id or new.policy_id <> old.policy_id
     or new.version_number <> old.version_number or new.rules::text <> old.rules::text or new.tests::text <> old.tests::text
     or new.currency <> old.currency or new.created_by <> old.created_by or new.created_at <> old.created_at then
    raise exception 'a policy version cannot be changed; save a new one' using errcode = 'restrict_violation';
  end if;
  if new.status <> old.status and (old.status, new.status) not in (('DRAFT', 'ACTIVE'), ('ACTIVE', 'SUPERSEDED')) then
    raise exception 'a policy version goes from DRAFT to ACTIVE to SUPERSEDED' using errcode = 'restrict_violation';
  end if;
  if new.activated_at is distinct from old.activated_at and not (old.status = 'DRAFT' and new.status = 'ACTIVE') then
    raise exception 'when a policy version came into force cannot be changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create function svc_keep_versions() returns trigger language plpgsql as $$
begin
  raise exception 'policy versions cannot be cleared away' using errcode = 'restrict_violation';
end $$;
create trigger versions_are_not_truncated before truncate on policy_versions for each statement execute function svc_keep_versions();

-- Nothing of a deleted policy comes into force, whoever asks.
create function svc_refuse_deleted_policy() returns trigger language plpgsql as $$
begin
  if exists (select from policies p where p.organization_id = new.organization_id and p.id = new.policy_id and p.deleted_at is not null) then
    raise exception 'the policy was deleted' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger version_is_of_a_policy_that_is_there before insert or update on policy_versions
  for each row execute function svc_refuse_deleted_policy();
create trigger binding_is_of_a_policy_that_is_there before insert or update on policy_bindings
  for each row execute function svc_refuse_deleted_policy();

create function svc_keep_deleted_policy() returns trigger language plpgsql as $$
begin
  if old.deleted_at is not null then raise exception 'the policy was deleted' using errcode = 'restrict_violation'; end if;
  if new.deleted_at is not null and exists (select from policy_versions v
       where v.organization_id = new.organization_id and v.policy_id = new.id and v.status = 'ACTIVE') then
    raise exception 'a policy in force cannot be deleted' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger deleted_policy_stays_deleted before update on policies for each row execute function svc_keep_deleted_policy();
