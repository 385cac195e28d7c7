-- svc_app serves one tenant per transaction. svc_identity finds out whose a secret is, before a tenant is known.
-- svc_recorder writes decisions of several tenants in one statement and may only add rows; of those there are it sees nothing but the keys
-- by which one is there already.
do $$
declare
  t text;
begin
  foreach t in array array['members', 'sessions', 'api_keys', 'workspaces', 'environments', 'environment_epochs', 'idempotency_keys',
    'audit_events', 'agents', 'agent_epochs', 'agent_keys', 'agent_capabilities', 'passports', 'agent_sessions', 'ended_agent_sessions',
    'tools', 'tool_agents', 'policies', 'policy_versions', 'policy_bindings', 'actions', 'approvals', 'approval_votes']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I for all to svc_app using (organization_id = svc_organization()) with check (organization_id = svc_organization())',
      t || '_of_the_tenant', t);
    execute format('grant select, insert on %I to svc_app', t);
  end loop;
end $$;

-- A caller limited to a workspace or an environment sees and touches nothing beside it, whatever a query asks for.
create policy workspaces_in_scope on workspaces as restrictive to svc_app using (svc_workspace() is null or id = svc_workspace());
create policy environments_in_scope on environments as restrictive to svc_app
  using ((svc_workspace() is null or workspace_id = svc_workspace()) and (svc_environment() is null or id = svc_environment()));
-- By case and not by or: an "or" with a setting is taken for one that hardly any row passes, and the planner then reads and sorts the whole
-- table to answer its newest page. A case is taken for one that every other row passes.
do $$
declare
  t text;
begin
  foreach t in array array['agents', 'tools', 'actions', 'approvals']
  loop
    execute format('create policy %I on %I as restrictive to svc_app using (
      case when svc_workspace() is null then true else workspace_id = svc_workspace() end
      and case when svc_environment() is null then true else environment_id = svc_environment() end)', t || '_in_scope', t);
  end loop;
end $$;
-- A narrower caller sees the policies that apply to it: the organization's, its workspace's, and those of what lies in its scope.
create policy policies_in_scope on policies as restrictive for select to svc_app using (
  (svc_workspace() is null and svc_environment() is null)
  or exists (select from policy_bindings b where b.organization_id = policies.organization_id and b.policy_id = policies.id
    and case b.scope
          when 'ORGANIZATION' then true
          when 'WORKSPACE' then b.target_id = svc_workspace()
            or exists (select from environments e where e.organization_id = b.organization_id and e.workspace_id = b.target_id)
          when 'ENVIRONMENT' then exists (select from environments e where e.organization_id = b.organization_id and e.id = b.target_id)
          else exists (select from agents a where a.organization_id = b.organization_id and a.id = b.target_id)
        end));
create policy audit_events_in_scope on audit_events as restrictive for select to svc_app
  using (case when svc_workspace() is null then true else workspace_id = svc_workspace() end
    and case when svc_environment() is null then true else environment_id = svc_environment() end);
create policy api_keys_in_scope on api_keys as restrictive to svc_app using (svc_workspace() is null or workspace_id = svc_workspace());

alter table organizations enable row level security;
alter table organizations force row level security;
create policy organizations_of_the_tenant on organizations for all to svc_app using (id = svc_organization()) with check (id = svc_organization());
grant select, insert, update on organizations to svc_app;

alter table users enable row level security;
alter table users force row level security;
create policy users_of_the_tenant on users for select to svc_app
  using (exists (select from members m where m.organization_id = svc_organization() and m.user_id = users.id));
create policy users_sign_up on users for insert to svc_app with check (true);
-- A password's hash is for whoever checks it alone.
grant select (id, email, name, created_at), insert on users to svc_app;

grant update on members, sessions, api_keys, workspaces, environments, environment_epochs, idempotency_keys, agents, agent_epochs, agent_keys,
  tools, policies, policy_versions, actions, approvals to svc_app;
grant delete on idempotency_keys, agent_capabilities, agent_sessions, ended_agent_sessions, tool_agents, policy_bindings, policy_versions to svc_app;
grant select, insert, update on platform_keys to svc_app;
-- A sign-up ends every set-up link in its own transaction; which links there are it cannot read.
grant select (used_at), update (used_at) on setup_links to svc_app;

create policy users_by_email on users for select to svc_identity using (true);
create policy members_by_user on members for select to svc_identity using (true);
create policy organizations_by_id on organizations for select to svc_identity using (true);
create policy sessions_by_token on sessions for select to svc_identity using (true);
create policy sessions_in_use on sessions for update to svc_identity using (true);
create policy api_keys_by_token on api_keys for select to svc_identity using (true);
create policy api_keys_in_use on api_keys for update to svc_identity using (true);
create policy agents_by_id on agents for select to svc_identity using (true);
create policy workspaces_by_id on workspaces for select to svc_identity using (true);
create policy environments_by_id on environments for select to svc_identity using (true);
grant select on users, members, organizations, sessions, api_keys to svc_identity;
grant select (organization_id, id) on workspaces to svc_identity;
grant select (organization_id, id, workspace_id) on environments to svc_identity;
grant select (organization_id, id, environment_id) on agents to svc_identity;
grant update (last_used_at) on sessions, api_keys to svc_identity;
grant select, insert, update, delete on sign_in_failures to svc_identity;
grant select, insert on setup_links to svc_identity;

create policy environment_epochs_compared on environment_epochs for select to svc_recorder using (true);
create policy agent_epochs_compared on agent_epochs for select to svc_recorder using (true);
grant select on environment_epochs, agent_epochs to svc_recorder;
create policy actions_recorded on actions for insert to svc_recorder with check (true);
create policy audit_events_recorded on audit_events for insert to svc_recorder with check (true);
create policy agent_sessions_recorded on agent_sessions for insert to svc_recorder with check (true);
create policy agent_sessions_seen on agent_sessions for select to svc_recorder using (true);
grant insert on actions, audit_events, agent_sessions to svc_recorder;
grant select (organization_id, id, agent_id, nonce_hash) on agent_sessions to svc_recorder;
create policy actions_seen on actions for select to svc_recorder using (true);
grant select (organization_id, id, principal_id, idempotency_key) on actions to svc_recorder;
create policy approvals_seen on approvals for select to svc_recorder using (true);
grant select (organization_id, agent_id, consumed_by_key) on approvals to svc_recorder;

-- What a clock does for every tenant: svc_identity learns where there is work, svc_app does it tenant by tenant.
create policy actions_swept on actions for select to svc_identity using (true);
create policy approvals_swept on approvals for select to svc_identity using (true);
create policy agent_sessions_swept on agent_sessions for select to svc_identity using (true);
create policy ended_agent_sessions_swept on ended_agent_sessions for select to svc_identity using (true);
create policy idempotency_keys_swept on idempotency_keys for select to svc_identity using (true);
grant select (organization_id, status, created_at, idempotency_key) on actions to svc_identity;
grant select (organization_id, status, expires_at) on approvals to svc_identity;
grant select (organization_id, agent_id, id, created_at, expires_at) on agent_sessions to svc_identity;
grant select (organization_id, expires_at) on ended_agent_sessions to svc_identity;
grant select (organization_id, created_at) on idempotency_keys to svc_identity;
