import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { askFailedAgain } from '@svc/postgres/events/webhooks/deliveries.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findTestSubscription } from './sent-to.ts';

type RedeliverFailedRequest = CallContext & { readonly subscriptionId: string; readonly body: EndpointBody<Endpoints['redeliverFailed']> };

export const redeliverFailed = async (
  { tx, emit }: Change<'webhook.subscription_updated'>,
  request: RedeliverFailedRequest,
  since: number,
) => {
  const { scope, now, body, subscriptionId } = request;
  const { organization_id } = scope;
  const subscription = await findTestSubscription(tx, { organization_id, id: subscriptionId });
  if (isRefusal(subscription)) return subscription;
  const of = { organization_id, subscription_id: subscription.id };
  const { count, hasMore } = await askFailedAgain(tx, of, { since: getMinIdForTime('webhook_delivery', new Date(since)), now });
  const data = { change: 'redelivery_asked', since: body.since, deliveries: count };
  emit('webhook.subscription_updated', { ...about.webhook_subscription(subscription), data });
  return { redelivered: count, has_more: hasMore };
};
