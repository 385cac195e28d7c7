import type { ApprovalCard } from '@svc/contract/actions/approval-shapes.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Besides = Pick<ApprovalCard, 'wordings' | 'questions'> & {
  readonly handovers: readonly (Omit<ApprovalCard['handovers'][number], 'stands'> & {
    /** The role that its target holds now. */
    readonly to_role: RoleRecord | null;
    readonly returned_at: string | null;
  })[];
};

const time = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Returns everything about an approval except votes, each list in order. */
export const readBesides = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Besides> => {
  const { rows } = await sql<Besides>`
    select
      (select coalesce(json_agg(json_build_object('wording', w.wording, 'parameters', w.parameters, 'amount', w.amount,
           'edited_by', w.edited_by, 'edited_at', ${time('w.edited_at')}) order by w.wording), '[]')
         from approval_wordings w where w.organization_id = ${organizationId} and w.approval_id = ${id}) as wordings,
      (select coalesce(json_agg(json_build_object('question_number', q.question_number, 'asked_by', q.asked_by, 'question', q.question,
           'asked_at', ${time('q.asked_at')}, 'answer', q.answer, 'answered_at', ${time('q.answered_at')},
           'answered_by', case when q.answered_by_id is not null then json_build_object('type', q.answered_by_type, 'id', q.answered_by_id) end,
           'is_untrusted', coalesce(q.answered_by_type = 'AGENT', false)) order by q.question_number), '[]')
         from approval_questions q where q.organization_id = ${organizationId} and q.approval_id = ${id}) as questions,
      (select coalesce(json_agg(json_build_object('from_user_id', h.from_user_id, 'to_user_id', h.to_user_id, 'comment', h.comment,
           'handed_over_at', ${time('h.handed_over_at')}, 'returned_at', ${time('h.returned_at')},
           'to_role', svc_role_now(h.organization_id, h.to_user_id, h.handed_over_at, h.workspace_id)) order by h.handed_over_at, h.from_user_id), '[]')
         from approval_handovers h where h.organization_id = ${organizationId} and h.approval_id = ${id}) as handovers`.execute(tx);
  return rows[0] ?? { wordings: [], questions: [], handovers: [] };
};
