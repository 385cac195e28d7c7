import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { askAgain, findDelivery } from '@svc/postgres/events/webhooks/deliveries.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatDelivery } from './format-delivery.ts';
import { findTestSubscription } from './sent-to.ts';

type RedeliverDeliveryRequest = CallContext & { readonly subscriptionId: string; readonly deliveryId: string };

export const redeliverDelivery = async ({ tx, emit }: Change<'webhook.subscription_updated'>, request: RedeliverDeliveryRequest) => {
  const { scope, now, subscriptionId, deliveryId } = request;
  const { organization_id } = scope;
  const subscription = await findTestSubscription(tx, { organization_id, id: subscriptionId });
  if (isRefusal(subscription)) return subscription;
  const key = { organization_id, subscription_id: subscription.id, id: deliveryId };
  await askAgain(tx, key, now);
  const row = await findDelivery(tx, key);
  if (!row) return buildRefusal('NOT_FOUND');
  const data = { change: 'redelivery_asked', delivery_id: row.id, event_id: row.event_id };
  emit('webhook.subscription_updated', { ...about.webhook_subscription(subscription), data });
  return formatDelivery(row);
};
