import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatSubscription } from '@svc/operations/events/webhooks/format-subscription.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { EventsDeps } from '../deps.ts';

export const getWebhook: Handler<Endpoints['getWebhook'], EventsDeps> = async (call) => {
  const { database, scope, params, now } = call;
  const key = { organization_id: scope.organization_id, id: params.subscriptionId };
  const row = await readInTenant(database, scope, (tx) => findSubscription(tx, key));
  return row ? formatSubscription(row, now) : call.refuse('NOT_FOUND');
};
