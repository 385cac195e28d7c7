import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatSubscription } from '@svc/operations/events/webhooks/format-subscription.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listSubscriptions } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { EventsDeps } from '../deps.ts';

export const listWebhooks: Handler<Endpoints['listWebhooks'], EventsDeps> = async ({ database, scope, now }) => {
  const rows = await readInTenant(database, scope, (tx) => listSubscriptions(tx, scope.organization_id));
  return rows.map((row) => formatSubscription(row, now));
};
