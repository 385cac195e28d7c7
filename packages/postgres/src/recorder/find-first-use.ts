import type { ActionRecord, RecordOutcome } from '@svc/enforcement/ports/ports.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

export type FirstUse = Extract<RecordOutcome, { outcome: 'replayed' }>;

/** Returns the first use of a decision's key: an action of its own, or an approval it used up. */
export const findFirstUse = async (tx: TenantTransaction, a: ActionRecord): Promise<FirstUse | undefined> => {
  const action = await tx
    .selectFrom('actions')
    // A request that was held is answered as the latest use of its approval.
    .select((row) => [
      row.fn
        .coalesce(
          row
            .selectFrom('approvals as p')
            .select('p.used_by_action_id')
            .whereRef('p.organization_id', '=', 'actions.organization_id')
            .whereRef('p.action_id', '=', 'actions.id'),
          'id',
        )
        .as('action_id'),
      'idempotency_hash as hash',
    ])
    .where('organization_id', '=', a.organization_id)
    .where('principal_id', '=', a.principal_id)
    .where('idempotency_key', '=', a.idempotency_key)
    .executeTakeFirst();
  const first =
    action ??
    (await tx
      .selectFrom('approvals')
      .select(['action_id', 'consumed_by_hash as hash'])
      .where('organization_id', '=', a.organization_id)
      .where('agent_id', '=', a.principal_id)
      .where('consumed_by_key', '=', a.idempotency_key)
      .executeTakeFirst());
  const kept = first?.hash?.toString('hex');
  const isSame = kept !== undefined && (kept === a.idempotency_hash || kept === a.idempotency_hash_unkeyed);
  return first && { outcome: 'replayed', action_id: first.action_id, same_request: isSame };
};
