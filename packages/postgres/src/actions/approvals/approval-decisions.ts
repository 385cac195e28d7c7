import type { ActionStatus, ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import type { Role } from '@svc/domain/people/roles/role.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** An approval as a vote finds it; held until the transaction ends, so that of votes at the same time each sees the ones before it. */
export type LockedApproval = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly status: ApprovalStatus;
  readonly approver_roles: readonly string[];
  readonly role_quorums: readonly number[] | null;
  readonly quorum: number;
  readonly step_up: boolean;
  readonly expires_at: string;
};

export const lockApproval = (tx: TenantTransaction, organizationId: string, id: string): Promise<LockedApproval | undefined> =>
  tx
    .selectFrom('approvals')
    .select([
      'id',
      'action_id',
      'agent_id',
      'workspace_id',
      'environment_id',
      'status',
      'approver_roles',
      'role_quorums',
      'quorum',
      'step_up',
      'expires_at',
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/**
 * Who asked, whoever stands behind that, and whose authority it is asked under: an API key acts for the person who made it, who may have
 * used a key for it too, and an agent under a delegation for the person at its root.
 * Read in a transaction that sees the whole organization, since a narrow one would hide the key and with it the person.
 */
export const findRequesters = async (tx: TenantTransaction, organizationId: string, approvalId: string): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    with recursive behind (id) as (
      (select a.id from approvals p join actions x on x.organization_id = p.organization_id and x.id = p.action_id
        cross join lateral (values (p.requested_by_id), (x.explanation #>> '{authority,root_principal,id}')) as a (id)
        where p.organization_id = ${organizationId} and p.id = ${approvalId} and a.id is not null)
      union
      select k.created_by from behind b join api_keys k on k.organization_id = ${organizationId} and k.id = b.id
    )
    select id from behind`.execute(tx);
  return new Set(rows.map((row) => row.id));
};

export type CastVote = {
  readonly user_id: string;
  readonly vote: 'APPROVE' | 'DENY';
  readonly comment: string | null;
  readonly voted_at: string;
  /** Held now; null when the person is no member any more, or joined again since, or is limited to workspaces beside that of the approval. */
  readonly role: Role | null;
};

/** Every vote with the role its person holds now, the first one first. */
export const listCastVotes = async (
  tx: TenantTransaction,
  organizationId: string,
  approval: Pick<LockedApproval, 'id' | 'workspace_id'>,
): Promise<CastVote[]> => {
  const { rows } = await sql<CastVote>`
    select v.user_id, v.vote, v.comment, v.voted_at, case when r.id is not null then json_build_object(
             'id', r.id, 'name', r.name, 'built_in', r.organization_id is null, 'permissions', r.permissions) end as role
      from approval_votes v
      left join members m on m.organization_id = v.organization_id and m.user_id = v.user_id and m.created_at <= v.voted_at
       and (not m.is_limited or exists (select from member_workspaces w
             where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = ${approval.workspace_id}))
      left join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
     where v.organization_id = ${organizationId} and v.approval_id = ${approval.id}
     order by v.voted_at, v.user_id`.execute(tx);
  return rows;
};

export const insertVote = async (
  tx: TenantTransaction,
  organizationId: string,
  vote: {
    readonly approval_id: string;
    readonly user_id: string;
    readonly vote: 'APPROVE' | 'DENY';
    readonly comment: string | null;
    readonly voted_at: Date;
  },
): Promise<void> => {
  await tx
    .insertInto('approval_votes')
    .values({ organization_id: organizationId, ...vote })
    .execute();
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
    .set(decision)
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
