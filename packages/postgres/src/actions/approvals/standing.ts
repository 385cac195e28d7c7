import { type RawBuilder, sql } from 'kysely';

/** Expressions of a statement. */
type Of = { readonly who: string; readonly since: string; readonly workspace: string };

/**
 * The role that somebody holds now, as JSON. Null when they are no member any more, joined again since, or are limited to workspaces beside
 * that of the approval.
 */
const roleNow = (organizationId: string, { who, since, workspace }: Of): RawBuilder<unknown> => sql`(
  select json_build_object('id', r.id, 'name', r.name, 'built_in', r.organization_id is null, 'permissions', r.permissions)
    from members m join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
   where m.organization_id = ${organizationId} and m.user_id = ${sql.ref(who)} and m.created_at <= ${sql.ref(since)}
     and (not m.is_limited or exists (select from member_workspaces w
           where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = ${sql.ref(workspace)})))`;

/** The role of whoever cast the vote `v` on the approval `p`. */
export const roleOfVoter = (organizationId: string): RawBuilder<unknown> =>
  roleNow(organizationId, { who: 'v.user_id', since: 'v.voted_at', workspace: 'p.workspace_id' });

/** Those who handed the approval `p` over to somebody, as JSON, each with the role they hold now. */
export const handedTo = (organizationId: string, to: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('user_id', h.from_user_id, 'role',
      ${roleNow(organizationId, { who: 'h.from_user_id', since: 'h.handed_over_at', workspace: 'p.workspace_id' })})), '[]'::json)
    from approval_handovers h
   where h.organization_id = ${organizationId} and h.approval_id = p.id and h.to_user_id = ${to})`;

/** Roles of which the approval `p` asks somebody now: those of the beginning, and those it went on to. */
export const rolesAsked: RawBuilder<string[]> = sql`(p.approver_roles || array(
  select g->>'escalates_to' from jsonb_array_elements(coalesce(p.approver_groups, '[]'::jsonb)) g
   where (g->>'escalated')::boolean and g->>'escalates_to' is not null))`;

/** People who are asked by name: those whom a rule names, and those to whom it was handed over. */
export const peopleAsked: RawBuilder<string[]> = sql`(array(
  select jsonb_array_elements_text(g->'people') from jsonb_array_elements(coalesce(p.approver_groups, '[]'::jsonb)) g) || array(
  select h.to_user_id from approval_handovers h where h.organization_id = p.organization_id and h.approval_id = p.id))`;

/** The amount in the wording of the approval `p` that stands, which may have none; `a` is its action. */
export const amountStanding: RawBuilder<number | null> = sql`(
  case when p.wording = 1 then a.amount else (select w.amount from approval_wordings w
    where w.organization_id = p.organization_id and w.approval_id = p.id and w.wording = p.wording) end)`;
