create table policy_invariants (
  organization_id text not null references organizations (id),
  id text not null,
  name text not null,
  description text not null default '',
  condition json,
  if_missing text,
  at_least text,
  at_most text,
  currency text not null,
  workspace_id text,
  environment_id text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint policy_invariants_name_is_unique unique (organization_id, name),
  constraint policy_invariants_say_something check (at_least is not null or at_most is not null),
  constraint policy_invariants_at_least_is_known check (at_least in ('ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK')),
  constraint policy_invariants_at_most_is_known check (at_most in ('ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK')),
  constraint policy_invariants_if_missing_is_known check (if_missing = 'match'),
  constraint policy_invariants_hold_in_a_workspace foreign key (organization_id, workspace_id) references workspaces (organization_id, id),
  constraint policy_invariants_hold_in_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id)
);
comment on table policy_invariants is 'What was proved of every decision and has to stay true: no change of what binds that breaks one is committed.';
comment on column policy_invariants.workspace_id is 'Where it holds: the workspace, or with environment_id the environment of it; null for the whole organization.';
comment on column policy_invariants.condition is 'A condition of the policy language; null when every request meets it.';

alter table policy_invariants enable row level security;
alter table policy_invariants force row level security;
create policy policy_invariants_of_the_tenant on policy_invariants for all to svc_app
  using (organization_id = svc_organization()) with check (organization_id = svc_organization());
-- A narrower caller is kept to what holds around its scope, so it sees that; it states and removes only what holds inside.
create policy policy_invariants_in_reach on policy_invariants as restrictive for select to svc_app
  using ((svc_workspace() is null or workspace_id is null or workspace_id = svc_workspace())
    and (svc_environment() is null or environment_id is null or environment_id = svc_environment()));
create policy policy_invariants_stated_in_scope on policy_invariants as restrictive for insert to svc_app
  with check ((svc_workspace() is null or workspace_id = svc_workspace()) and (svc_environment() is null or environment_id = svc_environment()));
create policy policy_invariants_removed_in_scope on policy_invariants as restrictive for delete to svc_app
  using ((svc_workspace() is null or workspace_id = svc_workspace()) and (svc_environment() is null or environment_id = svc_environment()));
grant select, insert, delete on policy_invariants to svc_app;
