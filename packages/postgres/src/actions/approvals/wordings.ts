import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** A held request as recorded, in the current wording. */
export type HeldRequest = {
  readonly agent_id: string;
  readonly requested_by: { readonly type: PrincipalType; readonly id: string };
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly destination: string | null;
  /** The delegation it depends on, named by the request or not. */
  readonly delegation_id: string | null;
  /** Hex. */
  readonly request_hash: string;
  readonly wording: number;
};

export const findHeldRequest = async (tx: TenantTransaction, organizationId: string, id: string): Promise<HeldRequest | undefined> => {
  const { rows } = await sql<HeldRequest>`
    select p.agent_id, json_build_object('type', p.requested_by_type, 'id', p.requested_by_id) as requested_by, a.tool,
           coalesce(w.parameters, a.parameters) as parameters, case when w.wording is null then a.amount else w.amount end as amount,
           a.currency, a.destination, a.explanation #>> '{authority,delegation_id}' as delegation_id,
           encode(p.request_hash, 'hex') as request_hash, p.wording
      from approvals p join actions a on a.organization_id = p.organization_id and a.id = p.action_id
      left join approval_wordings w on w.organization_id = p.organization_id and w.approval_id = p.id and w.wording = p.wording
     where p.organization_id = ${organizationId} and p.id = ${id}`.execute(tx);
  return rows[0];
};

export type NewWording = {
  /** The one that it narrows. */
  readonly seen: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly amount: number | null;
  /** Hex. */
  readonly request_hash: string;
  readonly edited_by: string;
  readonly now: Date;
};

/**
 * Replaces the wording that the editor saw by a new one; both that and the original request are kept. Only one of several concurrent edits
 * finds that wording current; undefined for the others, and if the maximum is reached, or the approval no longer waits.
 */
export const writeWording = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  { seen, parameters, amount, request_hash, edited_by, now }: NewWording,
): Promise<number | undefined> => {
  const { rows } = await sql<{ wording: number }>`
    with before as (
      select p.workspace_id, p.environment_id, p.request_hash, p.wording, a.parameters, a.amount
        from approvals p join actions a on a.organization_id = p.organization_id and a.id = p.action_id
       where p.organization_id = ${organizationId} and p.id = ${id}
    ), moved as (
      update approvals set wording = wording + 1, request_hash = decode(${request_hash}, 'hex')
       where organization_id = ${organizationId} and id = ${id} and status = 'PENDING' and expires_at > ${now} and wording = ${seen}
         and wording < ${LIMITS.approvals.wordingsMax}
      returning wording, workspace_id, environment_id
    ), asked as (
      insert into approval_wordings (organization_id, workspace_id, environment_id, approval_id, wording, parameters, amount, request_hash)
      select ${organizationId}, b.workspace_id, b.environment_id, ${id}, 1, b.parameters, b.amount, b.request_hash
        from before b, moved m where b.wording = 1
    )
    insert into approval_wordings (organization_id, workspace_id, environment_id, approval_id, wording, parameters, amount, request_hash,
      edited_by, edited_at)
    select ${organizationId}, m.workspace_id, m.environment_id, ${id}, m.wording, ${JSON.stringify(parameters)}::json, ${amount}::bigint,
           decode(${request_hash}, 'hex'), ${edited_by}, ${now} from moved m
    returning wording`.execute(tx);
  return rows[0]?.wording;
};

/** Changes the held action to the approved wording; the original request stays with the approval. No effect if it was never edited. */
export const applyWording = async (tx: TenantTransaction, organizationId: string, approvalId: string): Promise<void> => {
  await sql`
    update actions a set parameters = w.parameters, amount = w.amount
      from approvals p join approval_wordings w on w.organization_id = p.organization_id and w.approval_id = p.id and w.wording = p.wording
     where p.organization_id = ${organizationId} and p.id = ${approvalId} and p.wording > 1
       and a.organization_id = p.organization_id and a.id = p.action_id`.execute(tx);
};
