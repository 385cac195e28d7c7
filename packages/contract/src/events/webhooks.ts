import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { WEBHOOK_EVENT_TYPES } from '../tables/events.ts';
import { LIMITS } from '../tables/limits.ts';
import { READS_OF_WEBHOOKS } from './webhook-reads.ts';

const { webhooks } = LIMITS;

export const BODY_FORMATS = ['JSON', 'CLOUDEVENTS'] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

export const SUBSCRIPTION_STATUSES = ['ACTIVE', 'DISABLED'] as const;

/**
 * Why a subscription is disabled: by a person; it failed for days; the person who vouched for it may no longer create one; another person
 * proved the address of the creator's account; or the receiver stated that it is gone.
 */
export const DISABLED_REASONS = ['BY_HAND', 'FAILING', 'RIGHTS_LOST', 'HOLDER_CHANGED', 'RECEIVER_GONE'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

const bodyFormat = enumSchema(BODY_FORMATS, 'Format of the body: the JSON format of this service, or CloudEvents 1.0 in structured mode.');

export const WebhookSubscription = closedObject({
  id: id('Webhook subscription id (whs_).'),
  name: Type.String(),
  url: Type.String(),
  event_types: Type.Array(Type.String()),
  waiting: Type.Record(Type.String(), Type.String(), {
    description: 'Event types of the subscription that are not emitted yet, each with the feature that it depends on.',
  }),
  workspace_id: nullable(Type.String({ description: 'Only events of this workspace; null for the whole organization.' })),
  environment_id: nullable(Type.String({ description: 'Only events of this environment.' })),
  body_format: bodyFormat,
  status: enumSchema(SUBSCRIPTION_STATUSES),
  disabled_reason: nullable(enumSchema(DISABLED_REASONS)),
  failing_since: nullable({ ...timestamp, description: 'Time since which deliveries fail; null if the last delivery succeeded.' }),
  previous_secret_ends_at: nullable({ ...timestamp, description: 'Time until which deliveries are also signed with the previous secret.' }),
  vouched_by: closedObject(
    { type: Type.String(), id: Type.String() },
    'User whose permissions apply to deliveries: the one who created the subscription or changed it last.',
  ),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type WebhookSubscription = Static<typeof WebhookSubscription>;

const url = Type.String({
  minLength: 8,
  maxLength: webhooks.urlLengthMax,
  examples: ['https://hooks.example.com/governance'],
  description: 'URL that receives deliveries; https, without user, password or fragment.',
});
const eventTypes = Type.Array(enumSchema(WEBHOOK_EVENT_TYPES), {
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES.length,
  uniqueItems: true,
  description:
    'Event types that GET /v1/meta/event-types lists as webhook_subscribable. Types listed as waiting are accepted, but not emitted yet.',
});
const workspaceId = id('Deliver only events of this workspace.');
const environmentId = id('Deliver only events of this environment.');

const WithSecret = closedObject({
  ...WebhookSubscription.properties,
  ...secret('secret', nullable(Type.String({ description: 'Signing secret (whsec_), returned once; null in an idempotent replay.' }))),
});

const row = {
  plane: 'control',
  area: 'events',
  credential: 'caller',
  budget: 'caller',
  wire: 'json',
} as const;

export const webhookEndpoints = {
  createWebhook: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook subscription. The signing secret is returned once.',
    permissions: ['webhook:create'],
    mayNeed: READS_OF_WEBHOOKS,
    idempotent: true,
    body: closedObject({
      name: name('Name of the receiver.'),
      url,
      event_types: eventTypes,
      workspace_id: Type.Optional(workspaceId),
      environment_id: Type.Optional(environmentId),
      body_format: Type.Optional(bodyFormat),
    }),
    result: WithSecret,
    status: 201,
    emits: ['webhook.subscription_created'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'ALREADY_EXISTS'],
    automation: 'ALLOWED',
  }),
  listWebhooks: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhook subscriptions, oldest first, without their secrets.',
    permissions: ['webhook:read'],
    query: boundedListQuery,
    result: Type.Array(WebhookSubscription),
    emits: [],
    refuses: [],
  }),
  getWebhook: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/webhooks/{subscriptionId}',
    summary: 'Get a webhook subscription.',
    permissions: ['webhook:read'],
    result: WebhookSubscription,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateWebhook: defineEndpoint({
    ...row,
    method: 'PATCH',
    path: '/v1/webhooks/{subscriptionId}',
    summary: 'Change, disable or re-enable a webhook subscription. It then uses the permissions of the caller.',
    permissions: ['webhook:update'],
    mayNeed: READS_OF_WEBHOOKS,
    body: closedObject({
      name: Type.Optional(name('Name of the receiver.')),
      url: Type.Optional(url),
      event_types: Type.Optional(eventTypes),
      workspace_id: Type.Optional(nullable(workspaceId)),
      environment_id: Type.Optional(nullable(environmentId)),
      body_format: Type.Optional(bodyFormat),
      status: Type.Optional(enumSchema(SUBSCRIPTION_STATUSES)),
    }),
    result: WebhookSubscription,
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'ALREADY_EXISTS'],
    automation: 'ALLOWED',
  }),
  deleteWebhook: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: '/v1/webhooks/{subscriptionId}',
    budget: 'emergency',
    summary: 'Delete a webhook subscription. Pending deliveries are not sent.',
    permissions: ['webhook:delete'],
    result: WebhookSubscription,
    emergency: true,
    emits: ['webhook.subscription_updated'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  rotateWebhookSecret: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/webhooks/{subscriptionId}/rotate-secret',
    summary: 'Rotate the signing secret. The new secret is returned once; for 24 hours deliveries are signed with both secrets.',
    permissions: ['webhook:update'],
    body: closedObject({
      end_previous: Type.Optional(
        Type.Boolean({ default: false, description: 'Sign only with the new secret from now on, for example after a leak.' }),
      ),
    }),
    bodyOptional: true,
    result: WithSecret,
    emits: ['webhook.secret_rotated'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
};
