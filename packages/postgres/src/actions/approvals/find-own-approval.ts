import type { ApprovalForAgent } from '@svc/contract/actions/approval-shapes.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { findRemedy } from './exclusions.ts';

type Own = Omit<ApprovalForAgent, 'poll_after_seconds'>;
type Row = Omit<Own, 'no_approver'>;

/** Returns what an agent may know of its own approval. An expired one is reported as such, even before a job has closed it. */
export const findOwnApproval = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  approvalId: string,
  now: Date,
): Promise<Own | undefined> => {
  const { rows } = await sql<Row>`
    select p.id, p.action_id, p.status, p.reason, p.denial_reason, p.expires_at,
           (select json_build_object('question_number', q.question_number, 'question', q.question,
                'asked_at', to_char(q.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
              from approval_questions q where q.organization_id = p.organization_id and q.approval_id = p.id
               and q.question_number = p.open_question and p.status = 'PENDING') as question,
           (select json_build_object('parameters', w.parameters, 'amount', w.amount)
              from approval_wordings w where w.organization_id = p.organization_id and w.approval_id = p.id
               and w.wording = p.wording and p.wording > 1 and p.status in ('APPROVED', 'CONSUMED')) as approved_request
      from approvals p
     where p.organization_id = ${organizationId} and p.agent_id = ${agentId} and p.id = ${approvalId}`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const isOpen = row.status === 'PENDING' || row.status === 'APPROVED';
  return isOpen && Date.parse(row.expires_at) <= now.getTime()
    ? { ...row, status: 'EXPIRED', question: null, approved_request: null, no_approver: false }
    : { ...row, no_approver: row.status === 'PENDING' && (await findRemedy(tx, approvalId)) !== null };
};

/** Returns the scope of an approval, and its contents. */
export const findApprovalPlace = (tx: TenantTransaction, organizationId: string, id: string) =>
  tx
    .selectFrom('approvals')
    .select(['id', 'action_id', 'agent_id', 'workspace_id', 'environment_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
