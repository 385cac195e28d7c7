import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, cursorPage, enumSchema, id, nullable, timestamp } from '../rows/schema.ts';
import { WEBHOOK_EVENT_TYPES } from '../tables/events.ts';
import { LIMITS } from '../tables/limits.ts';
import { READS_OF_WEBHOOKS } from './webhook-reads.ts';

const { webhooks, pages } = LIMITS;

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

/** One delivery attempt and its result. */
export const DeliveryAttempt = closedObject({
  attempt: Type.Integer({ description: 'Value of the header svc-delivery-attempt.' }),
  at: timestamp,
  duration_ms: Type.Integer(),
  response_status: nullable(Type.Integer({ description: 'Null if there was no response.' })),
  reason: nullable(Type.String({ description: 'Reason the attempt failed; null if it succeeded.' })),
  excerpt: nullable(Type.String({ description: 'Beginning of the response. Probable secrets are masked.' })),
});
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const WebhookDelivery = closedObject({
  id: id('Webhook delivery id (dlv_).'),
  subscription_id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  test: Type.Boolean({ description: 'True for a test delivery (POST .../test) without an event.' }),
  status: enumSchema(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  reason: nullable(Type.String({ description: 'Reason the delivery, or its last attempt, failed.' })),
  next_attempt_at: nullable(timestamp),
  created_at: timestamp,
  ended_at: nullable(timestamp),
  attempt_log: Type.Array(DeliveryAttempt, { description: `The last ${webhooks.triesShownMax} attempts, in chronological order.` }),
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
  listDeliveries: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/webhooks/{subscriptionId}/deliveries',
    summary: 'List the deliveries of a webhook subscription with their attempts, newest first.',
    permissions: ['webhook:read'],
    query: closedObject({
      cursor: Type.Optional(Type.String({ maxLength: 2000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pages.countMax, default: pages.defaultCount })),
      status: Type.Optional(enumSchema(DELIVERY_STATUSES)),
      event_id: Type.Optional(id('Only deliveries of this event.')),
    }),
    result: cursorPage(WebhookDelivery),
    emits: [],
    refuses: ['NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  getDelivery: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/webhooks/{subscriptionId}/deliveries/{deliveryId}',
    summary: 'Get a delivery with its body.',
    permissions: ['webhook:read'],
    mayNeed: READS_OF_WEBHOOKS,
    result: closedObject({
      ...WebhookDelivery.properties,
      payload: nullable(
        Type.String({ description: 'Body of the delivery; null if the event was removed or the caller cannot read its subject.' }),
      ),
    }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  redeliverDelivery: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks/{subscriptionId}/deliveries/{deliveryId}/redeliver',
    summary: 'Redeliver a delivery with the same delivery id and event id, the next attempt number, and all retries.',
    permissions: ['webhook:update'],
    body: closedObject({}),
    bodyOptional: true,
    result: WebhookDelivery,
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  redeliverFailed: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks/{subscriptionId}/redeliver',
    summary: 'Redeliver all failed deliveries that were created since a time.',
    permissions: ['webhook:update'],
    body: closedObject({
      since: Type.String({
        maxLength: 24,
        examples: ['2026-01-31T09:30:00.000Z'],
        description: 'Only deliveries created at or after this time.',
      }),
    }),
    result: closedObject({
      redelivered: Type.Integer(),
      has_more: Type.Boolean({
        description: `True if there are more. One call redelivers at most ${webhooks.redeliveredMax}; call again.`,
      }),
    }),
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
    automation: 'ALLOWED',
  }),
  testWebhook: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks/{subscriptionId}/test',
    summary: 'Send a signed test event to the receiver.',
    permissions: ['webhook:update'],
    body: closedObject({
      event_type: Type.Optional(enumSchema(WEBHOOK_EVENT_TYPES, 'Event type of the subscription. Defaults to its first type.')),
    }),
    bodyOptional: true,
    result: WebhookDelivery,
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VALIDATION_FAILED'],
    automation: 'ALLOWED',
  }),
};
