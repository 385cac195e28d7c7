import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countWaitingTests, insertDelivery } from '@svc/postgres/events/webhooks/deliveries.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatDelivery } from './format-delivery.ts';
import { findTestSubscription } from './sent-to.ts';

type TestWebhookRequest = CallContext & { readonly subscriptionId: string; readonly body: EndpointBody<Endpoints['testWebhook']> };

const { queuedTestsMax } = LIMITS.webhooks;

const MANY = `${queuedTestsMax} test deliveries of this subscription are pending. Check them first.`;

export const testWebhook = async ({ tx, emit }: Change<'webhook.subscription_updated'>, request: TestWebhookRequest) => {
  const { scope, body, now, subscriptionId } = request;
  const { organization_id } = scope;
  const subscription = await findTestSubscription(tx, { organization_id, id: subscriptionId });
  if (isRefusal(subscription)) return subscription;
  const { workspace_id, environment_id, event_types } = subscription;
  const type = body?.event_type ?? event_types[0];
  if (type === undefined || !event_types.includes(type)) return refuseBody('/event_type', 'Must be an event type of the subscription.');
  const of = { organization_id, subscription_id: subscription.id };
  if ((await countWaitingTests(tx, of)) >= queuedTestsMax) return buildRefusal('INVALID_STATE_TRANSITION', MANY);
  const made = await insertDelivery(tx, {
    ...of,
    id: newId('webhook_delivery'),
    event_id: newId('audit_event'),
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
  return formatDelivery(made);
};
