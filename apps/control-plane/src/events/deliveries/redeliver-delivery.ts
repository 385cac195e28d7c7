import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { askAgain, findDelivery } from '@svc/postgres/events/webhooks/deliveries.ts';
import type { ControlDeps } from '../../deps.ts';
import { sentTo } from './told/sent-to.ts';
import { toldDelivery } from './told/told-delivery.ts';

export const redeliverDelivery: Handler<Endpoints['redeliverDelivery'], ControlDeps> = (call) => {
  const { scope, params, now } = call;
  const { organization_id } = scope;
  return call.change(async ({ tx, emit }) => {
    const subscription = await sentTo(tx, { organization_id, id: params.subscriptionId });
    if (isRefusal(subscription)) return subscription;
    const key = { organization_id, subscription_id: subscription.id, id: params.deliveryId };
    await askAgain(tx, key, now);
    const row = await findDelivery(tx, key);
    if (!row) return call.refuse('NOT_FOUND');
    const data = { change: 'redelivery_asked', delivery_id: row.id, event_id: row.event_id };
    emit('webhook.subscription_updated', { ...about.webhook_subscription(subscription), data });
    return toldDelivery(row);
  });
};
