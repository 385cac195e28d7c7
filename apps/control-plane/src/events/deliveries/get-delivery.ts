import type { Endpoints } from '@svc/contract/endpoints.ts';
import { getReads } from '@svc/contract/events/webhook-reads.ts';
import type { BodyFormat } from '@svc/contract/events/webhooks.ts';
import { buildDeliveryBody, testEvent } from '@svc/domain/events/webhooks/body.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { formatDelivery } from '@svc/operations/events/deliveries/format-delivery.ts';
import { readInTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findAuditEvent } from '@svc/postgres/events/audit-events.ts';
import { type DeliveryRow, findDelivery } from '@svc/postgres/events/webhooks/deliveries.ts';
import { findSubscription } from '@svc/postgres/events/webhooks/webhooks.ts';
import type { EventsDeps } from '../deps.ts';

type Get = Call<Endpoints['getDelivery']>;

const readPayload = async (tx: TenantTransaction, { scope, lacks }: Get, row: DeliveryRow, format: BodyFormat): Promise<string | null> => {
  const { organization_id } = scope;
  if (lacks(getReads([row.event_type])).length > 0) return null;
  const test = { ...row, id: row.event_id, type: row.event_type, occurred_at: row.created_at, organization_id };
  const event = row.is_test ? testEvent(test) : await findAuditEvent(tx, organization_id, row.event_id);
  return event ? buildDeliveryBody(event, format) : null;
};

export const getDelivery: Handler<Endpoints['getDelivery'], EventsDeps> = async (call) => {
  const { database, scope, params } = call;
  const key = { organization_id: scope.organization_id, subscription_id: params.subscriptionId, id: params.deliveryId };
  const found = await readInTenant(database, scope, async (tx) => {
    const subscription = await findSubscription(tx, { organization_id: scope.organization_id, id: params.subscriptionId });
    const row = subscription && (await findDelivery(tx, key));
    return row && { ...formatDelivery(row), payload: await readPayload(tx, call, row, subscription.body_format) };
  });
  return found ?? call.refuse('NOT_FOUND');
};
