import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import type { ActionStatus, AgentStatus, ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import { agentStanding } from '../../agents/agents/standing-status.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** An approval as a vote finds it; held until the transaction ends, so that of votes at the same time each sees the ones before it. */
export type LockedApproval = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  /** By the clock, whatever is written; null where nothing is known of it. */
  readonly agent_status: AgentStatus | null;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly status: ApprovalStatus;
  readonly approver_roles: readonly string[];
  readonly role_quorums: readonly number[] | null;
  readonly approver_groups: readonly ApproverGroup[] | null;
  readonly quorum: number;
  readonly step_up: boolean;
  readonly expires_at: string;
  readonly wording: number;
};

const LOCKED = [
  ...(['id', 'action_id', 'agent_id', 'workspace_id', 'environment_id', 'status', 'approver_roles', 'role_quorums'] as const),
  ...(['approver_groups', 'quorum', 'step_up', 'expires_at', 'wording'] as const),
];

const selectApproval = (tx: TenantTransaction, organizationId: string, id: string) =>
  tx
    .selectFrom('approvals')
    .select(LOCKED)
    .select(agentStanding('approvals').as('agent_status'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);

export const lockApproval = (tx: TenantTransaction, organizationId: string, id: string): Promise<LockedApproval | undefined> =>
  selectApproval(tx, organizationId, id).forUpdate().executeTakeFirst();

/** The same, held by nobody. */
export const findApproval = (tx: TenantTransaction, organizationId: string, id: string): Promise<LockedApproval | undefined> =>
  selectApproval(tx, organizationId, id).executeTakeFirst();

/**
 * Whoever may approve besides a person `b`: an owner always may, so that it is the owner alone who is ever the only one.
 */
const isAnotherApprover = (organizationId: string) => sql`exists (
  select from members m join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
   where m.organization_id = ${organizationId} and m.user_id <> b.id and 'approval:approve' = any (r.permissions))`;

/**
 * Who put a key in the place of another of the agent that asks, since it asked or before, unless that was over when it asked: whoever has the
 * key of an agent can ask as it, and use what it is given. Of an agent's first key nobody is told from those who run it.
 */
const takersOver = (organizationId: string, approvalId: string) => sql`
  select k.made_by as id from approvals p
    join agent_keys k on k.organization_id = p.organization_id and k.agent_id = p.agent_id and k.generation > 1
     and (k.retired_at is null or k.retired_at >= p.requested_at)
   where p.organization_id = ${organizationId} and p.id = ${approvalId} and k.made_by is not null`;

/**
 * Who handed on the authority that it is asked under: with a key that they had put in the place of an agent's when that handed on, or, below the
 * root of a person, by hand in the name of an agent. Grants of an agent that somebody hands on by hand are nobody else's authority.
 */
const handersOn = (organizationId: string, approvalId: string) => sql`
  select case l.created_by_type when 'AGENT' then k.made_by else l.created_by_id end as id from approvals p
    join actions x on x.organization_id = p.organization_id and x.id = p.action_id
    join delegations u on u.organization_id = p.organization_id and u.id = x.explanation #>> '{authority,delegation_id}'
    join delegations l on l.organization_id = p.organization_id and l.id = any (string_to_array(u.path, '/'))
    left join agent_keys k on k.organization_id = p.organization_id and k.agent_id = l.delegator_agent_id and k.generation > 1
     and k.created_at <= l.created_at and (k.retired_at is null or k.retired_at >= l.created_at)
   where p.organization_id = ${organizationId} and p.id = ${approvalId} and case l.created_by_type when 'AGENT' then k.made_by is not null
     else l.parent_id is not null and x.explanation #>> '{authority,root_principal,type}' = 'USER' end`;

/**
 * Who asked, whoever stands behind that, whose authority it is asked under, who handed that on, who answered for it, and who took the place of the
 * agent: an API key acts for the person who made it, who may have used a key for it too, and an agent under a delegation for the person at its root.
 * Who took the place of an agent or handed on does not count where nobody else may approve anything: an owner who is alone does that too.
 * Read in a transaction that sees the whole organization, since a narrow one would hide the key and with it the person.
 */
export const findRequesters = async (tx: TenantTransaction, organizationId: string, approvalId: string): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    with recursive behind (id) as (
      (select a.id from approvals p join actions x on x.organization_id = p.organization_id and x.id = p.action_id
        cross join lateral (values (p.requested_by_id), (x.explanation #>> '{authority,root_principal,id}')) as a (id)
        where p.organization_id = ${organizationId} and p.id = ${approvalId} and a.id is not null
       union
       select q.answered_by_id from approval_questions q
        where q.organization_id = ${organizationId} and q.approval_id = ${approvalId} and q.answered_by_id is not null)
      union
      select k.created_by from behind b join api_keys k on k.organization_id = ${organizationId} and k.id = b.id
    ), taking (id) as (
      ${takersOver(organizationId, approvalId)}
      union
      ${handersOn(organizationId, approvalId)}
      union
      select k.created_by from taking t join api_keys k on k.organization_id = ${organizationId} and k.id = t.id
    )
    select id from behind union select b.id from taking b where ${isAnotherApprover(organizationId)}`.execute(tx);
  return new Set(rows.map((row) => row.id));
};

/** Decides a pending approval that this transaction holds. */
export const decideApproval = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  decision:
    | { readonly status: 'APPROVED'; readonly approved_by: string[]; readonly decided_at: Date }
    | { readonly status: 'DENIED'; readonly denial_reason: string; readonly decided_at: Date },
): Promise<void> => {
  await tx
    .updateTable('approvals')
    .set({ ...decision, open_question: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute();
};

/** Moves the action that an approval holds, if it still waits for it. `completed_at` ends it. */
export const moveHeldAction = async (
  tx: TenantTransaction,
  organizationId: string,
  actionId: string,
  to: { readonly status: ActionStatus; readonly code?: string; readonly completed_at?: Date },
): Promise<void> => {
  await tx
    .updateTable('actions')
    .set(to)
    .where('organization_id', '=', organizationId)
    .where('id', '=', actionId)
    .where('status', 'in', ['PENDING_APPROVAL', 'APPROVED'])
    .execute();
};
