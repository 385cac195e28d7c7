import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { formatDelivery } from '@svc/operations/events/deliveries/format-delivery.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listDeliveries as list } from '@svc/postgres/events/webhooks/deliveries.ts';
import { findSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { EventsDeps } from '../deps.ts';

export const listDeliveries: Handler<Endpoints['listDeliveries'], EventsDeps> = async (call, deps) => {
  const { database, scope, params, query } = call;
  const page = readPage(call, deps.cursorKey, `deliveries of ${params.subscriptionId}`);
  if (isRefusal(page)) return page;
  const of = { organization_id: scope.organization_id, subscription_id: params.subscriptionId };
  const rows = await searchInTenant(database, scope, async (tx) =>
    (await findSubscription(tx, { organization_id: scope.organization_id, id: params.subscriptionId }))
      ? list(tx, of, query, page)
      : undefined,
  );
  if (rows === undefined) return call.refuse('NOT_FOUND');
  return buildPage(rows.map(formatDelivery), page, deps.cursorKey);
};
