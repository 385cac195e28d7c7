-- Somebody is asked to join, by a mail with a code of which only the SHA-256 is kept. It ends once: by being taken up, or withdrawn. Whether its
-- time is over is asked when it is used. What it grants is bounded by what whoever invited has at that moment, so nothing of that is kept here.
create table invitations (
  organization_id text not null references organizations (id),
  id text not null,
  email text not null,
  role_id text not null,
  workspace_ids text[],
  code_hash bytea not null,
  invited_by text not null,
  invited_by_type text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null,
  sent_count integer not null default 1,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_as text,
  primary key (organization_id, id),
  constraint invitations_code_hash_is_unique unique (code_hash),
  constraint invitations_end_at_a_moment check (isfinite(expires_at)),
  constraint invitations_end_once check ((ended_at is null) = (ended_as is null)),
  constraint invitations_ended_as_is_known check (ended_as in ('ACCEPTED', 'WITHDRAWN'))
);
create unique index invitations_are_once_per_address on invitations (organization_id, email) where ended_at is null;
create index invitations_by_sending on invitations (organization_id, sent_at);
create index invitations_by_inviter on invitations (organization_id, invited_by) where ended_at is null;
comment on table invitations is 'A person who was asked to join the organization, in a role.';
comment on column invitations.workspace_ids is 'The workspaces the member will be limited to; null for the whole organization.';

-- What is limited to several workspaces is seen by who sees them all, as keys are.
select svc_guard('invitations', array['svc_app']);
do $$
begin
  execute format('create policy invitations_in_scope on invitations as restrictive to svc_app using (%s)', svc_in_scope('workspace_ids', null, '<@'));
end $$;
create policy invitations_by_code on invitations for select to svc_identity using (true);
grant select, insert, update on invitations to svc_app;
grant select on invitations to svc_identity;

-- An organization's own roles are its rows; those of nobody are written by whoever migrates and by nobody else.
create policy roles_made_by_the_tenant on roles for insert to svc_app with check (organization_id = svc_organization());
create policy roles_changed_by_the_tenant on roles for update to svc_app
  using (organization_id = svc_organization()) with check (organization_id = svc_organization());
create policy roles_deleted_by_the_tenant on roles for delete to svc_app using (organization_id = svc_organization());
grant insert, delete, update (name, description, permissions, updated_at) on roles to svc_app;

create policy member_workspaces_given_by_the_tenant on member_workspaces for insert to svc_app with check (organization_id = svc_organization());
create policy member_workspaces_taken_by_the_tenant on member_workspaces for delete to svc_app using (organization_id = svc_organization());
grant insert, delete on member_workspaces to svc_app;
grant delete on members to svc_app;

create index api_keys_by_maker on api_keys (organization_id, created_by);
create index sessions_by_member on sessions (organization_id, user_id) where revoked_at is null;
