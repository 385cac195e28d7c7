import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { askFailedAgain } from '@svc/postgres/events/webhooks/deliveries.ts';
import { firstIdSince } from '@svc/program/ids/first-id-since.ts';
import type { ControlDeps } from '../../deps.ts';
import { sentTo } from './told/sent-to.ts';

export const redeliverFailed: Handler<Endpoints['redeliverFailed'], ControlDeps> = (call) => {
  const { scope, params, now, body } = call;
  const { organization_id } = scope;
  const since = parseStrictTime(body.since);
  if (since === null) return call.fault('/since', 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.');
  return call.change(async ({ tx, emit }) => {
    const subscription = await sentTo(tx, { organization_id, id: params.subscriptionId });
    if (isRefusal(subscription)) return subscription;
    const of = { organization_id, subscription_id: subscription.id };
    const { count, hasMore } = await askFailedAgain(tx, of, { since: firstIdSince('webhook_delivery', new Date(since)), now });
    const data = { change: 'redelivery_asked', since: body.since, deliveries: count };
    emit('webhook.subscription_updated', { ...about.webhook_subscription(subscription), data });
    return { redelivered: count, has_more: hasMore };
  });
};
