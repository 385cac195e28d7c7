-- Who may vote on an approval depends on who registered, keyed or authorized the agent that asks. The setting of the environment says whether
-- they may vote on high-risk tools when no one else can.
alter table environments add column separation text not null default 'STRICT',
  add constraint environments_separation_is_known check (separation in ('STRICT', 'WHEN_POSSIBLE'));
comment on column environments.separation is 'Whether people behind an agent may approve what it asks of a high-risk tool when no one else can.';

alter table approvals add column authorized_by text[], add column separation text,
  add constraint approvals_separation_is_known check (separation in ('STRICT', 'WHEN_POSSIBLE'));
comment on column approvals.authorized_by is
  'Who authorized the agent for the tool, or granted it the capability, when it asked. Null in approvals from before this was kept.';
comment on column approvals.separation is 'The rule under which it was approved. Null until then, and in approvals from before this was kept.';

alter table approval_votes add column withdrawn_at timestamptz;
comment on column approval_votes.withdrawn_at is 'When its person withdrew it; null where it was not withdrawn.';
grant update (vote, comment, voted_at, withdrawn_at) on approval_votes to svc_app;

alter table approval_handovers add column returned_at timestamptz;
comment on column approval_handovers.returned_at is
  'When its person decided themselves, because the person it was reassigned to could no longer vote; null where they did not.';
comment on table approval_handovers is 'Who votes on behalf of whom on one approval.';
grant update (to_user_id, comment, handed_over_at, returned_at) on approval_handovers to svc_app;

-- The role that a person holds now. Null when they are no member, joined again after `since`, or do not see the workspace.
create function svc_role_now(organization text, person text, since timestamptz, workspace text) returns json language sql stable as $$
  select json_build_object('id', r.id, 'name', r.name, 'built_in', r.organization_id is null, 'permissions', r.permissions)
    from members m join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
   where m.organization_id = organization and m.user_id = person and m.created_at <= since
     and (not m.is_limited or exists (select from member_workspaces w
           where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = workspace))
$$;

-- Members who stand behind approvals of the tenant, and how. REQUEST: they asked, delegated, or answered for the agent. TAKEOVER: they replaced a
-- key of an agent, or handed on the authority. AGENT: they registered, keyed or authorized an agent of the chain. `alone`: no one else in the
-- organization may approve. `strict`: the AGENT links exclude even when no one else can vote. Runs as the owner, since a gateway may not read
-- people and a caller may be limited to a part of the organization.
create function svc_approval_links(ids text[]) returns table (approval_id text, user_id text, link text, alone boolean, strict boolean)
  language sql stable security definer set search_path = public, pg_temp as $$
  with recursive asked as (
    select p.organization_id, p.id, p.agent_id, p.requested_at, p.requested_by_id, p.authorized_by, x.tool_id, t.required_capability,
           x.explanation #>> '{authority,root_principal,id}' as root_id, x.explanation #>> '{authority,root_principal,type}' as root_type,
           x.explanation #>> '{authority,delegation_id}' as delegation_id,
           coalesce(e.separation, 'STRICT') = 'STRICT' and coalesce(t.risk_rating, 'CRITICAL') in ('HIGH', 'CRITICAL') as strict
      from approvals p join actions x on x.organization_id = p.organization_id and x.id = p.action_id
      left join tools t on t.organization_id = p.organization_id and t.id = x.tool_id
      left join environments e on e.organization_id = p.organization_id and e.id = p.environment_id
     where p.organization_id = svc_organization() and p.id = any (ids)
  ), chain as (
    select a.id as approval_id, a.root_type, l.* from asked a
      join delegations u on u.organization_id = a.organization_id and u.id = a.delegation_id
      join delegations l on l.organization_id = a.organization_id and l.id = any (string_to_array(u.path, '/'))
  ), agents_behind as (
    select a.id as approval_id, a.agent_id from asked a
     union select c.approval_id, c.delegator_agent_id from chain c where c.delegator_agent_id is not null
     union select c.approval_id, c.delegate_agent_id from chain c
  ), behind (approval_id, principal, link) as (
    (select a.id, who.id, 'REQUEST' from asked a cross join lateral (values (a.requested_by_id), (a.root_id)) as who (id)
      union
     select q.approval_id, q.answered_by_id, 'REQUEST' from approval_questions q join asked a on a.organization_id = q.organization_id and a.id = q.approval_id
      union
     select a.id, k.made_by, 'TAKEOVER' from asked a
       join agent_keys k on k.organization_id = a.organization_id and k.agent_id = a.agent_id and k.generation > 1
        and (k.retired_at is null or k.retired_at >= a.requested_at)
      union
     select c.approval_id, case c.created_by_type when 'AGENT' then k.made_by else c.created_by_id end, 'TAKEOVER' from chain c
       left join agent_keys k on k.organization_id = c.organization_id and k.agent_id = c.delegator_agent_id and k.generation > 1
        and k.created_at <= c.created_at and (k.retired_at is null or k.retired_at >= c.created_at)
      where c.created_by_type = 'AGENT' or (c.parent_id is not null and c.root_type = 'USER')
      union
     select b.approval_id, k.made_by, 'AGENT' from agents_behind b join asked a on a.id = b.approval_id
       join agent_keys k on k.organization_id = a.organization_id and k.agent_id = b.agent_id
        and (k.generation = 1 or k.retired_at is null or k.retired_at >= a.requested_at)
      union
     select a.id, g.authorized_by, 'AGENT' from asked a
       join tool_agents g on g.organization_id = a.organization_id and g.agent_id = a.agent_id and g.tool_id = a.tool_id
      union
     select b.approval_id, g.granted_by, 'AGENT' from agents_behind b join asked a on a.id = b.approval_id
       join agent_capabilities g on g.organization_id = a.organization_id and g.agent_id = b.agent_id and g.capability = a.required_capability
      union
     select c.approval_id, c.created_by_id, 'AGENT' from chain c where c.created_by_type <> 'AGENT'
      union
     select a.id, unnest(a.authorized_by), 'AGENT' from asked a)
    union
    select b.approval_id, k.created_by, b.link from behind b join api_keys k on k.organization_id = svc_organization() and k.id = b.principal
  )
  select b.approval_id, m.user_id, b.link,
         b.link = 'TAKEOVER' and not exists (
           select from members o join roles r on r.id = o.role_id and (r.organization_id is null or r.organization_id = o.organization_id)
            where o.organization_id = m.organization_id and o.user_id <> m.user_id and 'approval:approve' = any (r.permissions)),
         a.strict
    from behind b join asked a on a.id = b.approval_id
    join members m on m.organization_id = svc_organization() and m.user_id = b.principal
$$;
revoke all on function svc_approval_links from public;
grant execute on function svc_approval_links to svc_app, svc_gateway;

-- What an approval asks of people, the roles that may approve, and the members who hold them and see the workspace: `per_role` of each role, and
-- everyone who is asked by name. Each with those they vote on behalf of, and the person they reassigned their own vote to. Runs as the owner, as above.
create function svc_could_approve(approval text, per_role integer) returns json
  language sql stable security definer set search_path = public, pg_temp as $$
  with asked as (select * from approvals p where p.organization_id = svc_organization() and p.id = approval),
  able as (
    select r.id, r.name, r.organization_id is null as built_in, r.permissions from roles r
     where (r.organization_id is null or r.organization_id = svc_organization()) and 'approval:approve' = any (r.permissions)
  ), named as (
    select jsonb_array_elements_text(g->'people') as user_id from asked p, jsonb_array_elements(coalesce(p.approver_groups, '[]'::jsonb)) g
     union
    select h.to_user_id from asked p join approval_handovers h on h.organization_id = p.organization_id and h.approval_id = p.id and h.returned_at is null
  ), people as (
    select p.organization_id, p.id as approval_id, p.workspace_id, m.user_id, m.role_id, m.user_id in (select user_id from named) as is_named,
           row_number() over (partition by m.role_id order by m.user_id) as position
      from asked p join members m on m.organization_id = p.organization_id and m.role_id in (select id from able)
     where not m.is_limited or exists (select from member_workspaces w
        where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = p.workspace_id)
  )
  select json_build_object(
    'terms', (select json_build_object('quorum', quorum, 'approver_roles', approver_roles, 'role_quorums', role_quorums,
        'approver_groups', approver_groups) from asked),
    'roles', (select coalesce(json_agg(able), '[]'::json) from able),
    'people', (select coalesce(json_agg(json_build_object('user_id', p.user_id, 'role_id', p.role_id,
        'stands_for', (select coalesce(json_agg(json_build_object('user_id', h.from_user_id,
             'role', svc_role_now(p.organization_id, h.from_user_id, h.handed_over_at, p.workspace_id))), '[]'::json)
           from approval_handovers h where h.organization_id = p.organization_id and h.approval_id = p.approval_id and h.to_user_id = p.user_id
            and h.returned_at is null),
        'handed_to', (select json_build_object('user_id', h.to_user_id,
             'role', svc_role_now(p.organization_id, h.to_user_id, h.handed_over_at, p.workspace_id))
           from approval_handovers h where h.organization_id = p.organization_id and h.approval_id = p.approval_id and h.from_user_id = p.user_id
            and h.returned_at is null))), '[]'::json)
      from people p where p.is_named or p.position <= per_role))
$$;
revoke all on function svc_could_approve from public;
grant execute on function svc_could_approve to svc_app, svc_gateway;
