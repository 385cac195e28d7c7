import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { LIMITS } from '../tables/limits.ts';
import { NOTIFICATION_KINDS } from './notification-kinds.ts';

/** Protocol of a channel: Slack's incoming webhooks, which other chats accept too. */
export const CHANNEL_KINDS = ['SLACK'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const CHANNEL_STATUSES = ['ACTIVE', 'DISABLED'] as const;

/**
 * Why a channel is disabled: by a person; nothing arrived for a day; the receiver repeatedly stated that it is gone; the person who vouched
 * for it may no longer create one; or another person proved the address of the creator's account.
 */
export const CHANNEL_DISABLED_REASONS = ['BY_HAND', 'FAILING', 'RECEIVER_GONE', 'RIGHTS_LOST', 'HOLDER_CHANGED'] as const;
export type ChannelDisabledReason = (typeof CHANNEL_DISABLED_REASONS)[number];

export const NotificationChannel = closedObject({
  id: id('Notification channel id (nch_).'),
  name: Type.String(),
  kind: enumSchema(CHANNEL_KINDS),
  address: Type.String({ description: 'Destination: the host of its URL and the last characters, to distinguish channels.' }),
  notices: Type.Array(Type.String(), { description: 'Kinds of notifications to send.' }),
  workspace_id: nullable(Type.String({ description: 'Only notifications of this workspace; null for the whole organization.' })),
  environment_id: nullable(Type.String({ description: 'Only notifications of this environment.' })),
  status: enumSchema(CHANNEL_STATUSES),
  disabled_reason: nullable(enumSchema(CHANNEL_DISABLED_REASONS)),
  failing_since: nullable({ ...timestamp, description: 'Time since which messages fail; null if the last message was delivered.' }),
  last_error: nullable(Type.String({ description: 'Reason the last message was not delivered.' })),
  last_sent_at: nullable({ ...timestamp, description: 'Time of the last delivered message.' }),
  vouched_by: closedObject(
    { type: Type.String(), id: Type.String() },
    'User whose permissions apply: the one who created the channel or changed it last.',
  ),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type NotificationChannel = Static<typeof NotificationChannel>;

const webhookUrl = Type.String({
  minLength: 8,
  maxLength: LIMITS.channels.urlLengthMax,
  examples: ['https://hooks.slack.com/services/T0000/B0000/XXXX'],
  description:
    'Incoming webhook URL, as Slack shows it. It grants write access to the channel, so it is stored encrypted and never returned.',
});
const notices = Type.Array(enumSchema(NOTIFICATION_KINDS), {
  minItems: 1,
  maxItems: NOTIFICATION_KINDS.length,
  uniqueItems: true,
  description: 'Kinds of notifications to send.',
});
const workspaceId = id('Send only notifications of this workspace.');
const environmentId = id('Send only notifications of this environment.');
const called = name('Name of the channel.');

/** Permissions that read the resources of all kinds: the creator of a channel must hold those of the notices it gets. */
const READS_OF_NOTICES = ['agent:read', 'apikey:read', 'approval:read', 'delegation:read', 'environment:read', 'webhook:read'] as const;

const row = { plane: 'control', area: 'events', credential: 'caller', budget: 'caller', wire: 'json' } as const;
const one = '/v1/notification-channels/{channelId}';

export const notificationChannelEndpoints = {
  createNotificationChannel: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/notification-channels',
    summary: 'Create a notification channel that uses an incoming webhook of a chat channel.',
    permissions: ['webhook:create'],
    mayNeed: READS_OF_NOTICES,
    idempotent: true,
    body: closedObject({
      name: called,
      kind: Type.Optional(enumSchema(CHANNEL_KINDS)),
      ...secret('webhook_url', webhookUrl),
      notices,
      workspace_id: Type.Optional(workspaceId),
      environment_id: Type.Optional(environmentId),
    }),
    result: NotificationChannel,
    status: 201,
    emits: ['notification_channel.created'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'ALREADY_EXISTS', 'UNPROCESSABLE'],
    automation: 'ALLOWED',
  }),
  listNotificationChannels: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/notification-channels',
    summary: 'List notification channels, oldest first, without their URLs.',
    permissions: ['webhook:read'],
    query: boundedListQuery,
    result: Type.Array(NotificationChannel),
    emits: [],
    refuses: [],
  }),
  getNotificationChannel: defineEndpoint({
    ...row,
    method: 'GET',
    path: one,
    summary: 'Get a notification channel and its delivery status.',
    permissions: ['webhook:read'],
    result: NotificationChannel,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateNotificationChannel: defineEndpoint({
    ...row,
    method: 'PATCH',
    path: one,
    summary: 'Change, disable or re-enable a notification channel, or change its URL. It then uses the permissions of the caller.',
    permissions: ['webhook:update'],
    mayNeed: READS_OF_NOTICES,
    body: closedObject({
      name: Type.Optional(called),
      ...secret('webhook_url', Type.Optional(webhookUrl)),
      notices: Type.Optional(notices),
      workspace_id: Type.Optional(nullable(workspaceId)),
      environment_id: Type.Optional(nullable(environmentId)),
      status: Type.Optional(enumSchema(CHANNEL_STATUSES)),
    }),
    result: NotificationChannel,
    emits: ['notification_channel.updated'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'VALIDATION_FAILED', 'ALREADY_EXISTS'],
    automation: 'ALLOWED',
  }),
  deleteNotificationChannel: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: one,
    summary: 'Delete a notification channel and its pending messages.',
    permissions: ['webhook:delete'],
    result: NotificationChannel,
    emits: ['notification_channel.deleted'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  testNotificationChannel: defineEndpoint({
    ...row,
    method: 'POST',
    path: `${one}/test`,
    summary: 'Send a test message to the channel. The result appears in the channel resource shortly afterwards.',
    permissions: ['webhook:update'],
    body: closedObject({}),
    bodyOptional: true,
    result: NotificationChannel,
    emits: ['notification_channel.updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
};
