-- What a role holds is a row. The built-in ones are of no organization, have the same identifiers everywhere, and are written by whoever
-- migrates, from the table of the contract; those of an organization are its own rows. Nothing refers to a role by foreign key: a role that is
-- not there, or is another organization's, holds nothing.
create table roles (
  id text primary key,
  organization_id text references organizations (id),
  name text not null,
  description text not null default '',
  permissions text[] not null,
  for_keys boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint roles_name_is_unique unique nulls not distinct (organization_id, name)
);
comment on table roles is 'What whoever holds a role may do. Built in where organization_id is null.';
comment on column roles.for_keys is 'Whether an API key may have it; that of an owner is for people alone.';

-- A member or a key may be limited to a set of workspaces. That it is limited, and to which, are two things: a member whose last workspace is
-- taken away sees nothing, and not everything.
alter table members add column is_limited boolean not null default false;
comment on column members.is_limited is 'Whether the member sees the workspaces in member_workspaces alone; otherwise the whole organization.';
create table member_workspaces (
  organization_id text not null,
  member_id text not null,
  workspace_id text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, member_id, workspace_id),
  constraint member_workspaces_are_of_a_member foreign key (organization_id, member_id) references members (organization_id, id) on delete cascade,
  constraint member_workspaces_are_workspaces foreign key (organization_id, workspace_id) references workspaces (organization_id, id)
);
comment on table member_workspaces is 'The workspaces that a limited member sees.';

alter table api_keys add column workspace_ids text[];
comment on column api_keys.workspace_ids is 'The workspaces a key is limited to; null for as far as its maker sees. Never changes.';
alter table api_keys no force row level security;
update api_keys set workspace_ids = array[workspace_id] where workspace_id is not null;
alter table api_keys force row level security;
drop policy api_keys_in_scope on api_keys;
alter table api_keys drop column workspace_id;

-- Sessions that were opened from one another, in whichever organizations, are one sign-in: it ends as a whole.
alter table sessions add column sign_in_id text;
comment on column sessions.sign_in_id is 'The first session of the sign-in; null where it is this one.';
create table ended_sign_ins (
  organization_id text not null,
  session_id text not null,
  sign_in_id text not null,
  ended_at timestamptz not null default now(),
  primary key (organization_id, session_id),
  constraint ended_sign_ins_are_of_a_session foreign key (organization_id, session_id) references sessions (organization_id, id)
);
create index ended_sign_ins_by_sign_in on ended_sign_ins (sign_in_id);
comment on table ended_sign_ins is 'Sign-ins that somebody ended from one of their sessions; none of these is accepted any more.';

do $$
declare
  t text;
begin
  foreach t in array array['roles', 'member_workspaces', 'ended_sign_ins']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I for select to svc_identity using (true)', t || '_of_callers', t);
    execute format('grant select on %I to svc_app, svc_identity', t);
  end loop;
end $$;
create policy roles_of_the_tenant on roles for select to svc_app
  using (svc_organization() is not null and (organization_id is null or organization_id = svc_organization()));
create policy member_workspaces_of_the_tenant on member_workspaces for select to svc_app using (organization_id = svc_organization());
create policy ended_sign_ins_of_the_tenant on ended_sign_ins for select to svc_app using (organization_id = svc_organization());
-- Who ends a sign-in has to have a session of it, so that nobody ends those of other organizations.
create policy ended_sign_ins_from_within on ended_sign_ins for insert to svc_app with check (organization_id = svc_organization()
  and exists (select from sessions s where s.organization_id = ended_sign_ins.organization_id and s.id = ended_sign_ins.session_id
    and coalesce(s.sign_in_id, s.id) = ended_sign_ins.sign_in_id));
grant insert on ended_sign_ins to svc_app;

-- The setting svc.workspace_id holds identifiers with commas between them; none of them means all, so that a set of none is told by a word
-- that is no identifier.
create function svc_workspaces() returns text[] language sql stable parallel safe
  as $$ select string_to_array(nullif(current_setting('svc.workspace_id', true), ''), ',') $$;

-- How a policy compares a row with the scope, as text: said here and nowhere else. By case, as 0006 says; and by a select each, which is asked
-- once in a statement and not for each row, so that a set costs what one workspace does.
create function svc_in_scope(workspace text, environment text, compared text default '= any') returns text language sql immutable
  as $$ select concat_ws(' and ',
    'case when (select svc_workspaces()) is null then true else ' || workspace || ' ' || compared || ' ((select svc_workspaces())::text[]) end',
    'case when (select svc_environment()) is null then true else ' || environment || ' end') $$;
comment on function svc_in_scope is 'The text of a policy: whether a row lies in the workspaces and the environment that a transaction is limited to.';

do $$
declare
  t text;
  inside text := svc_in_scope('workspace_id', 'environment_id = (select svc_environment())');
begin
  foreach t in array array['agents', 'tools', 'actions', 'approvals', 'audit_events']
  loop
    execute format('alter policy %I on %I using (%s)', t || '_in_scope', t, inside);
  end loop;
  execute format('alter policy workspaces_in_scope on workspaces using (%s)', svc_in_scope('id', null));
  execute format('alter policy environments_in_scope on environments using (%s)', svc_in_scope('workspace_id', 'id = (select svc_environment())'));
  -- What is limited to several workspaces is seen by who sees them all; what lies in several is seen from each of them.
  execute format('create policy api_keys_in_scope on api_keys as restrictive to svc_app using (%s)', svc_in_scope('workspace_ids', null, '<@'));
  execute format('alter policy delegations_in_scope on delegations using (%s)',
    svc_in_scope('workspace_ids', '(select svc_environment()) = any (environment_ids)', '&&'));
  execute format('alter policy policy_invariants_in_reach on policy_invariants using ((workspace_id is null or %s) and (environment_id is null or %s))',
    svc_in_scope('workspace_id', null), svc_in_scope(null, 'environment_id = (select svc_environment())'));
  execute format('alter policy policy_invariants_stated_in_scope on policy_invariants with check (%s)', inside);
  execute format('alter policy policy_invariants_removed_in_scope on policy_invariants using (%s)', inside);
end $$;
alter policy policies_in_scope on policies using (
  ((select svc_workspaces()) is null and (select svc_environment()) is null)
  or exists (select from policy_bindings b where b.organization_id = policies.organization_id and b.policy_id = policies.id
    and case b.scope
          when 'ORGANIZATION' then true
          when 'WORKSPACE' then b.target_id = any ((select svc_workspaces())::text[])
            or exists (select from environments e where e.organization_id = b.organization_id and e.workspace_id = b.target_id)
          when 'ENVIRONMENT' then exists (select from environments e where e.organization_id = b.organization_id and e.id = b.target_id)
          else exists (select from agents a where a.organization_id = b.organization_id and a.id = b.target_id)
        end));
drop function svc_workspace();
