import type { DisabledReason } from '@svc/contract/events/webhooks.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { updateSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';

type Reason = Exclude<DisabledReason, 'BY_HAND' | 'HOLDER_CHANGED'>;
type Which = { readonly organization_id: string; readonly id: string; readonly reason: Reason; readonly now: Date };

/** Disables a subscription until a person enables it, and records it, which notifies those who may. */
export const disableWebhook = async (
  { tx, emit }: Change<'webhook.subscription_updated'>,
  { organization_id, id, reason, now }: Which,
): Promise<void> => {
  const row = await updateSubscription(tx, { organization_id, id }, { status: 'DISABLED', disabled_reason: reason, updated_at: now });
  const data = { change: 'disabled', reason, before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } };
  emit('webhook.subscription_updated', { ...about.webhook_subscription(row), data });
};
