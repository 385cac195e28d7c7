import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { countWaitingTests, insertDelivery } from '@svc/postgres/events/webhooks/deliveries.ts';
import type { ControlDeps } from '../../deps.ts';
import { sentTo } from './told/sent-to.ts';
import { toldDelivery } from './told/told-delivery.ts';

const { testsWaitingMax } = LIMITS.webhooks;
const MANY = `${testsWaitingMax} test deliveries of this subscription are pending. Check them first.`;

export const testWebhook: Handler<Endpoints['testWebhook'], ControlDeps> = (call) => {
  const { scope, params, now, body } = call;
  const { organization_id } = scope;
  return call.change(async ({ tx, emit }) => {
    const subscription = await sentTo(tx, { organization_id, id: params.subscriptionId });
    if (isRefusal(subscription)) return subscription;
    const { workspace_id, environment_id, event_types } = subscription;
    const type = body?.event_type ?? event_types[0];
    if (type === undefined || !event_types.includes(type))
      return call.fault('/event_type', 'Must be an event type of the subscription.');
    const of = { organization_id, subscription_id: subscription.id };
    if ((await countWaitingTests(tx, of)) >= testsWaitingMax) return call.refuse('INVALID_STATE_TRANSITION', MANY);
    const made = await insertDelivery(tx, {
      ...of,
      id: call.newId('webhook_delivery'),
      event_id: call.newId('audit_event'),
      event_type: type,
      subject_id: subscription.id,
      workspace_id,
      environment_id,
      is_test: true,
      due_at: now,
      created_at: now,
    });
    emit('webhook.subscription_updated', {
      ...about.webhook_subscription(subscription),
      data: { change: 'test_asked', delivery_id: made.id, event_type: type },
    });
    return toldDelivery(made);
  });
};
