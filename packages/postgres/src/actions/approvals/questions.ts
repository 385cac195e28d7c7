import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type NewQuestion = { readonly asked_by: string; readonly question: string; readonly now: Date };

/**
 * Opens a question if none is open; returns its number, or undefined if one is, or the maximum is reached, or the approval no longer waits.
 */
export const openQuestion = async (
  tx: TenantTransaction,
  organizationId: string,
  approvalId: string,
  { asked_by, question, now }: NewQuestion,
): Promise<number | undefined> => {
  const { rows } = await sql<{ question_number: number }>`
    with opened as (
      update approvals set questions_asked = questions_asked + 1, open_question = questions_asked + 1
       where organization_id = ${organizationId} and id = ${approvalId} and status = 'PENDING' and expires_at > ${now}
         and open_question is null and questions_asked < ${LIMITS.approvals.questionsMax}
      returning workspace_id, environment_id, open_question)
    insert into approval_questions (organization_id, workspace_id, environment_id, approval_id, question_number, asked_by, question, asked_at)
    select ${organizationId}, workspace_id, environment_id, ${approvalId}, open_question, ${asked_by}, ${question}, ${now} from opened
    returning question_number`.execute(tx);
  return rows[0]?.question_number;
};

export type NewAnswer = {
  /** Undefined for the open one. */
  readonly question_number: number | undefined;
  readonly by: { readonly type: PrincipalType; readonly id: string };
  readonly answer: string;
  readonly now: Date;
};

/** Answers the open question of a pending approval. Only one of concurrent answers finds it open; the others write nothing. */
export const answerQuestion = async (
  tx: TenantTransaction,
  organizationId: string,
  approvalId: string,
  { question_number, by, answer, now }: NewAnswer,
): Promise<{ readonly question_number: number; readonly asked_by: string } | undefined> => {
  const { rows } = await sql<{ question_number: number; asked_by: string }>`
    with waiting as (
      select open_question from approvals
       where organization_id = ${organizationId} and id = ${approvalId} and status = 'PENDING' and expires_at > ${now}
         and open_question = coalesce(${question_number ?? null}::integer, open_question)
       for update
    ), closed as (
      update approvals set open_question = null from waiting where organization_id = ${organizationId} and id = ${approvalId}
    )
    update approval_questions q set answered_by_type = ${by.type}, answered_by_id = ${by.id}, answer = ${answer}, answered_at = ${now}
      from waiting w
     where q.organization_id = ${organizationId} and q.approval_id = ${approvalId} and q.question_number = w.open_question
       and q.answered_at is null
    returning q.question_number, q.asked_by`.execute(tx);
  return rows[0];
};
