import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { deleteSubscription, lockSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { ControlDeps } from '../../deps.ts';
import { auditedSubscription, toldSubscription } from './subscriptions/told-subscription.ts';

export const deleteWebhook: Handler<Endpoints['deleteWebhook'], ControlDeps> = (call) => {
  const { scope, params, now } = call;
  return call.change(async ({ tx, emit }) => {
    const before = await lockSubscription(tx, { organization_id: scope.organization_id, id: params.subscriptionId });
    if (!before) return call.refuse('NOT_FOUND');
    await deleteSubscription(tx, before);
    const data = { change: 'deleted', before: auditedSubscription(before) };
    emit('webhook.subscription_updated', { ...about.webhook_subscription(before), data });
    return toldSubscription(before, now);
  });
};
