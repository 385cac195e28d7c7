import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { deleteSubscription, lockSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatSubscription, formatSubscriptionForAudit } from './format-subscription.ts';

export const deleteWebhook = async (
  { tx, emit }: Change<'webhook.subscription_updated'>,
  request: CallContext & { readonly subscriptionId: string },
) => {
  const { scope, now, subscriptionId } = request;
  const before = await lockSubscription(tx, { organization_id: scope.organization_id, id: subscriptionId });
  if (!before) return buildRefusal('NOT_FOUND');
  await deleteSubscription(tx, before);
  const data = { change: 'deleted', before: formatSubscriptionForAudit(before) };
  emit('webhook.subscription_updated', { ...about.webhook_subscription(before), data });
  return formatSubscription(before, now);
};
