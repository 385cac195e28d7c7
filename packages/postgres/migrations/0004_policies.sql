create table policies (
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint policies_name_is_unique unique (organization_id, name)
);
comment on table policies is 'A named set of rules with versions; what binds is its active version.';

create table policy_versions (
  organization_id text not null,
  id text not null,
  policy_id text not null,
  version_number integer not null,
  status text not null default 'DRAFT',
  rules json not null,
  tests json not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  activated_at timestamptz,
  primary key (organization_id, id),
  constraint policy_versions_belong_to_a_policy foreign key (organization_id, policy_id) references policies (organization_id, id),
  constraint policy_versions_number_is_unique unique (organization_id, policy_id, version_number),
  constraint policy_versions_status_is_known check (status in ('DRAFT', 'ACTIVE', 'SUPERSEDED'))
);
create unique index policy_versions_at_most_one_active on policy_versions (organization_id, policy_id) where status = 'ACTIVE';
comment on table policy_versions is 'Rules and tests of one version; unchangeable once it has been active.';

create function svc_keep_activated_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.status <> 'DRAFT' then raise exception 'an activated policy version cannot be deleted' using errcode = 'restrict_violation'; end if;
    return old;
  end if;
  if old.status <> 'DRAFT' and
     (new.status = 'DRAFT' or new.rules::text <> old.rules::text or new.tests::text <> old.tests::text
      or new.version_number <> old.version_number or new.policy_id <> old.policy_id) then
    raise exception 'an activated policy version cannot be changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger activated_version_is_immutable before update or delete on policy_versions
  for each row execute function svc_keep_activated_version();

create table policy_bindings (
  organization_id text not null,
  id text not null,
  policy_id text not null,
  scope text not null,
  target_id text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint policy_bindings_belong_to_a_policy foreign key (organization_id, policy_id) references policies (organization_id, id),
  constraint policy_bindings_are_once_per_target unique (organization_id, policy_id, scope, target_id),
  constraint policy_bindings_scope_is_known check (scope in ('ORGANIZATION', 'WORKSPACE', 'ENVIRONMENT', 'AGENT'))
);
comment on table policy_bindings is 'Where a policy applies.';

create function svc_bump_binding(organization text, binding_scope text, target text) returns void language plpgsql as $$
begin
  -- Always in the same order, so that two changes at the same moment wait for each other and never in a circle.
  perform svc_bump_environment(e.organization_id, e.environment_id) from (
    select organization_id, environment_id from environment_epochs
     where organization_id = organization
       and case binding_scope
             when 'ORGANIZATION' then true
             when 'WORKSPACE' then workspace_id = target
             when 'ENVIRONMENT' then environment_id = target
             else environment_id = (select a.environment_id from agent_epochs a where a.organization_id = organization and a.agent_id = target)
           end
     order by environment_id) e;
end $$;

create function svc_policy_binding_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform svc_bump_binding(old.organization_id, old.scope, old.target_id); end if;
  if tg_op <> 'DELETE' then perform svc_bump_binding(new.organization_id, new.scope, new.target_id); end if;
  return null;
end $$;
create trigger policy_binding_moves_the_epochs after insert or update or delete on policy_bindings
  for each row execute function svc_policy_binding_changed();

create function svc_policy_version_changed() returns trigger language plpgsql as $$
begin
  if 'ACTIVE' in (new.status, case when tg_op = 'UPDATE' then old.status end) then
    perform svc_bump_binding(b.organization_id, b.scope, b.target_id) from policy_bindings b
     where b.organization_id = new.organization_id and b.policy_id = new.policy_id;
  end if;
  return null;
end $$;
create trigger policy_version_moves_the_epochs after insert or update on policy_versions
  for each row execute function svc_policy_version_changed();

create function svc_policy_renamed() returns trigger language plpgsql as $$
begin
  perform svc_bump_binding(b.organization_id, b.scope, b.target_id) from policy_bindings b
   where b.organization_id = new.organization_id and b.policy_id = new.id;
  return null;
end $$;
create trigger policy_name_moves_the_epochs after update of name on policies
  for each row execute function svc_policy_renamed();
