-- A delegation of a person holds while that person could make it. It is written down with what changes that, since the gateway, which decides by
-- it, reads nothing of people; and it moves the epochs of every agent below, as any change of a delegation does.
alter table delegations add column backing text not null default 'HELD',
  add constraint delegations_backing_is_known check (backing in ('HELD', 'LACKED', 'GONE'));
comment on column delegations.backing is 'Whether the person at its root could make it now: HELD, LACKED while they may not, or GONE for good since they left.';
create index delegations_by_person on delegations (organization_id, delegator_user_id) where delegator_user_id is not null and status = 'ACTIVE';
grant update (backing) on delegations to svc_app;

-- Who they are that stand there already. The owner sees rows only while row-level security is not forced on it; whoever starts this version has
-- read no delegation yet, so that no epoch has to move. Built-in roles are written after the migrations: where one is not there yet, its people
-- are taken for those they were.
alter table delegations no force row level security;
alter table members no force row level security;
alter table member_workspaces no force row level security;
alter table roles no force row level security;
alter table delegations disable trigger user;
update delegations d set backing = coalesce((
    select case when (r.id is null or 'delegation:create' = any (r.permissions)) and (not m.is_limited or d.workspace_ids <@ array(
             select w.workspace_id from member_workspaces w where w.organization_id = m.organization_id and w.member_id = m.id)) then 'HELD' else 'LACKED' end
      from members m left join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
     where m.organization_id = d.organization_id and m.user_id = d.delegator_user_id and m.created_at <= d.created_at), 'GONE')
 where d.status = 'ACTIVE' and d.delegator_user_id is not null;
alter table delegations enable trigger user;
alter table delegations force row level security;
alter table members force row level security;
alter table member_workspaces force row level security;
alter table roles force row level security;
