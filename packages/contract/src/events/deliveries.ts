import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, cursorPage, id, nullable, oneOf, timestamp } from '../rows/schema.ts';
import { WEBHOOK_EVENT_TYPES } from '../tables/events.ts';
import { LIMITS } from '../tables/limits.ts';
import { READS_OF_WEBHOOKS } from './webhook-reads.ts';

const { webhooks, pages } = LIMITS;

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** One attempt, as it went. */
export const DeliveryAttempt = closed({
  attempt: Type.Integer({ description: 'Value of the header svc-delivery-attempt.' }),
  at: timestamp,
  duration_ms: Type.Integer(),
  response_status: nullable(Type.Integer({ description: 'Null where there was no answer.' })),
  reason: nullable(Type.String({ description: 'Why it failed; null where it arrived.' })),
  excerpt: nullable(Type.String({ description: 'The beginning of the answer, with what looks like a secret masked.' })),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const WebhookDelivery = closed({
  id: id('Webhook delivery id (dlv_).'),
  subscription_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  test: Type.Boolean({ description: 'True for a test delivery (POST .../test) without an event.' }),
  status: oneOf(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  reason: nullable(Type.String({ description: 'Why it failed, or why its last attempt did.' })),
  next_attempt_at: nullable(timestamp),
  created_at: timestamp,
  ended_at: nullable(timestamp),
  attempt_log: Type.Array(DeliveryAttempt, { description: `The last ${webhooks.triesShownMax} attempts, in their order.` }),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const row = {
  plane: 'control',
  area: 'events',
  credential: 'caller',
  budget: 'caller',
  wire: 'json',
} as const;

export const deliveryEndpoints = {
  listDeliveries: endpoint({
    ...row,
    method: 'GET',
    path: '/v1/webhooks/{subscriptionId}/deliveries',
    summary: 'List the deliveries of a webhook subscription with their attempts, newest first.',
    permissions: ['webhook:read'],
    query: closed({
      cursor: Type.Optional(Type.String({ maxLength: 2000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pages.countMax, default: pages.defaultCount })),
      status: Type.Optional(oneOf(DELIVERY_STATUSES)),
      event_id: Type.Optional(id('Deliveries of this event.')),
    }),
    result: cursorPage(WebhookDelivery),
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  getDelivery: endpoint({
    ...row,
    method: 'GET',
    path: '/v1/webhooks/{subscriptionId}/deliveries/{deliveryId}',
    summary: 'Get a delivery with its body.',
    permissions: ['webhook:read'],
    mayNeed: READS_OF_WEBHOOKS,
    result: closed({
      ...WebhookDelivery.properties,
      payload: nullable(
        Type.String({ description: 'The body; null where the event is gone, or the caller may not read what it is about.' }),
      ),
    }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  redeliverDelivery: endpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks/{subscriptionId}/deliveries/{deliveryId}/redeliver',
    summary: 'Redeliver: the same delivery and event id, the next attempt number, and all retries.',
    permissions: ['webhook:update'],
    body: closed({}),
    bodyOptional: true,
    result: WebhookDelivery,
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  redeliverFailed: endpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks/{subscriptionId}/redeliver',
    summary: 'Redeliver all failed deliveries that were due since a time.',
    permissions: ['webhook:update'],
    body: closed({
      since: Type.String({ maxLength: 24, examples: ['2026-01-31T09:30:00.000Z'], description: 'Deliveries that were made since.' }),
    }),
    result: closed({
      redelivered: Type.Integer(),
      has_more: Type.Boolean({
        description: `True if there are more. One call redelivers at most ${webhooks.redeliveredMax}; call again.`,
      }),
    }),
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
    automation: 'ALLOWED',
  }),
  testWebhook: endpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks/{subscriptionId}/test',
    summary: 'Send a signed test event to the receiver.',
    permissions: ['webhook:update'],
    body: closed({
      event_type: Type.Optional(oneOf(WEBHOOK_EVENT_TYPES, 'One that the subscription names; its first when left out.')),
    }),
    bodyOptional: true,
    result: WebhookDelivery,
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
    automation: 'ALLOWED',
  }),
};
