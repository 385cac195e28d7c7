import type { Separation } from '@svc/contract/tables/vocabulary.ts';
import type { QuorumApprover, QuorumTerms } from '@svc/domain/actions/approvals/quorum.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { keepConsumed } from './in-flight.ts';
import { listReportedVotes, type ReportedVote } from './reported-votes.ts';
import { handedTo, roleOfVoter } from './standing.ts';

/** A granted and unused approval, with its approvers and their current roles. */
export type GrantedApproval = QuorumTerms & {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  /** Voters who counted when it was granted. */
  readonly approved_by: readonly string[];
  readonly approvers: readonly QuorumApprover[];
  readonly votes: readonly ReportedVote[];
};

/** Locks all approvals an agent waits for or was granted, so that concurrent decisions on them finish first. */
export const lockOpenApprovals = async (tx: TenantTransaction, organizationId: string, agentId: string): Promise<void> => {
  await sql`
    select from approvals where organization_id = ${organizationId} and agent_id = ${agentId} and status in ('PENDING', 'APPROVED')
     order by id for update`.execute(tx);
};

type Part = {
  readonly after: string;
  readonly limit: number;
  /** Only approvals granted to this agent. */
  readonly agentId?: string;
};

/**
 * Locks approvals that depend on a vote by one of these people, or on their behalf, in the order of requests, at most `limit`; until the
 * transaction ends.
 */
export const lockApprovalsByVoter = async (
  tx: TenantTransaction,
  organizationId: string,
  userIds: readonly string[],
  { after, limit, agentId }: Part,
): Promise<GrantedApproval[]> => {
  const ofAgent = (approval: string) =>
    agentId === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(`${approval}.agent_id`)} = ${agentId}`;
  const restsOn = (approval: string) => sql<boolean>`(${sql.ref(`${approval}.approved_by`)} && ${userIds}::text[] or exists (
    select from approval_handovers h where h.organization_id = ${organizationId} and h.approval_id = ${sql.ref(`${approval}.id`)}
       and h.from_user_id = any (${userIds}::text[]) and h.to_user_id = any (${sql.ref(`${approval}.approved_by`)})
       and h.returned_at is null))`;
  await keepConsumed(tx, organizationId, sql<boolean>`${ofAgent('p')} and ${restsOn('p')}`);
  const { rows } = await sql<GrantedApproval>`
    with given as (
      select * from approvals a where organization_id = ${organizationId} and status = 'APPROVED' and id > ${after} and ${ofAgent('a')}
         and ${restsOn('a')}
       order by id limit ${limit} for update)
    select p.id, p.action_id, p.agent_id, p.workspace_id, p.environment_id, p.approved_by, p.quorum, p.approver_roles, p.role_quorums, p.approver_groups,
           (select coalesce(json_agg(json_build_object('user_id', v.user_id, 'role', ${roleOfVoter(organizationId)},
                'stands_for', ${handedTo(organizationId, sql.ref('v.user_id'))})), '[]'::json)
              from approval_votes v
             where v.organization_id = ${organizationId} and v.approval_id = p.id and v.wording = p.wording and v.vote = 'APPROVE'
                and v.withdrawn_at is null) as approvers,
           ${listReportedVotes(organizationId)} as votes
      from given p order by p.id`.execute(tx);
  return rows;
};

/** Records the remaining approvers of an approval, after some votes no longer count. */
export const keepGrantedApprovals = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  rests: { readonly approved_by: string[]; readonly separation: Separation },
): Promise<void> => {
  await tx.updateTable('approvals').set(rests).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Withdraws granted approvals that this transaction has locked, and ends the actions they allowed. */
export const withdrawGrantedApprovals = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> => {
  await sql`
    with withdrawn as (
      update approvals set status = 'CANCELLED' where organization_id = ${organizationId} and id = any (${ids}::text[]) returning action_id)
    update actions a set status = 'CANCELLED', code = 'APPROVAL_NOT_GRANTED', completed_at = ${now} from withdrawn w
     where a.organization_id = ${organizationId} and a.id = w.action_id and a.status in ('PENDING_APPROVAL', 'APPROVED')`.execute(tx);
};
