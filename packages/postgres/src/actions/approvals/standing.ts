import { type RawBuilder, sql } from 'kysely';

/** Columns of a statement. */
type RoleAt = { readonly who: string; readonly since: string };

/** The role that a person holds now, as JSON; see `svc_role_now`. */
const roleNow = (organizationId: string, { who, since }: RoleAt): RawBuilder<unknown> =>
  sql`svc_role_now(${organizationId}, ${sql.ref(who)}, ${sql.ref(since)}, p.workspace_id)`;

/** Returns the role of the person who cast the vote `v` on the approval `p`. */
export const roleOfVoter = (organizationId: string): RawBuilder<unknown> =>
  roleNow(organizationId, { who: 'v.user_id', since: 'v.voted_at' });

/** Returns people who reassigned the approval `p` to a person, as JSON, each with their current role. */
export const handedTo = (organizationId: string, to: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('user_id', h.from_user_id, 'role',
      ${roleNow(organizationId, { who: 'h.from_user_id', since: 'h.handed_over_at' })})), '[]'::json)
    from approval_handovers h
   where h.organization_id = ${organizationId} and h.approval_id = p.id and h.to_user_id = ${to} and h.returned_at is null)`;

/** Returns the person to whom a vote on the approval `p` was reassigned, as JSON, with the current role; null if it was not. */
export const reassignedPerson = (organizationId: string, from: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select json_build_object('user_id', h.to_user_id, 'role', ${roleNow(organizationId, { who: 'h.to_user_id', since: 'h.handed_over_at' })})
    from approval_handovers h
   where h.organization_id = ${organizationId} and h.approval_id = p.id and h.from_user_id = ${from} and h.returned_at is null)`;

/** Currently requested roles of the approval `p`: the original ones, and those of its escalation. */
export const requestedRoles: RawBuilder<string[]> = sql`(p.approver_roles || array(
  select g->>'escalates_to' from jsonb_array_elements(coalesce(p.approver_groups, '[]'::jsonb)) g
   where (g->>'escalated')::boolean and g->>'escalates_to' is not null))`;

/** Individually requested people: those named by a rule, and those it was reassigned to. */
export const requestedPeople: RawBuilder<string[]> = sql`(array(
  select jsonb_array_elements_text(g->'people') from jsonb_array_elements(coalesce(p.approver_groups, '[]'::jsonb)) g) || array(
  select h.to_user_id from approval_handovers h where h.organization_id = p.organization_id and h.approval_id = p.id and h.returned_at is null))`;

/** The amount in the current wording of the approval `p`, which may have none; `a` is its action. */
export const amountStanding: RawBuilder<number | null> = sql`(
  case when p.wording = 1 then a.amount else (select w.amount from approval_wordings w
    where w.organization_id = p.organization_id and w.approval_id = p.id and w.wording = p.wording) end)`;
