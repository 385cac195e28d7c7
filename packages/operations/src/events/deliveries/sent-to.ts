import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockSubscription, type SubscriptionRow } from '@svc/postgres/events/webhooks/webhooks.ts';

const DISABLED = 'Nothing is delivered while the subscription is disabled: put it back with PATCH and status ACTIVE first.';

/** Finds a subscription that is to be sent something. */
export const findTestSubscription = async (
  tx: TenantTransaction,
  key: { readonly organization_id: string; readonly id: string },
): Promise<SubscriptionRow | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const row = await lockSubscription(tx, key);
  if (!row) return buildRefusal('NOT_FOUND');
  const details = { operation: 'deliver', from: row.status, allowed_from: ['ACTIVE'] };
  return row.status === 'ACTIVE' ? row : buildRefusal('INVALID_STATE_TRANSITION', DISABLED, details);
};
