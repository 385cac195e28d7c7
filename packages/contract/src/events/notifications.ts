import { type Static, Type } from 'typebox';
import { AUDIT_SUBJECTS } from '../audit-subjects.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, cursorPage, enumSchema, id, nullable, timestamp, wholeNumber } from '../rows/schema.ts';
import { INBOX_CHOICES, MAIL_CHOICES, NOTIFICATION_KINDS, type NotificationKind } from './notification-kinds.ts';

export const Notification = closedObject({
  id: id('Notification id (ntf_).'),
  kind: enumSchema(NOTIFICATION_KINDS),
  sentence: Type.String({ description: 'Text of the notification.' }),
  page: Type.String({ description: 'Link to the resource, relative to the address of the service. Opening it has no side effects.' }),
  count: Type.Integer({
    minimum: 1,
    description: 'Number of notifications it combines: more than one if many were created within minutes.',
  }),
  subject: nullable(closedObject({ type: enumSchema(AUDIT_SUBJECTS), id: Type.String() })),
  workspace_id: nullable(Type.String()),
  environment_id: nullable(Type.String()),
  event_id: nullable(Type.String({ description: 'Event that caused the notification; null for reminders.' })),
  settled: Type.Boolean({ description: 'True if no action is required any more because the approval was decided or has expired.' }),
  created_at: timestamp,
  updated_at: timestamp,
  read_at: nullable(timestamp),
});
export type Notification = Static<typeof Notification>;

const clock = (description: string) => Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:00'], description });

const choices = closedObject({
  inbox: enumSchema(INBOX_CHOICES, 'Display in the inbox.'),
  mail: enumSchema(MAIL_CHOICES, 'Mail delivery: immediately, in a daily digest, or off.'),
});

const every = <S>(schema: S): Record<NotificationKind, S> =>
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, schema])) as Record<NotificationKind, S>;

const quietHours = closedObject({ from: clock('First quiet minute.'), until: clock('First minute after the quiet hours.') });
const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  examples: ['Europe/Berlin'],
  description: 'Name in the IANA time zone database.',
});

export const NotificationPreferences = closedObject({
  time_zone: timeZone,
  digest_hour: wholeNumber(0, 23, 'Hour at which the daily digest is sent, in the time zone.'),
  quiet_hours: nullable(quietHours),
  kinds: closedObject(every(choices), 'Delivery of each kind.'),
});
export type NotificationPreferences = Static<typeof NotificationPreferences>;

const Chosen = closedObject({
  time_zone: Type.Optional(timeZone),
  digest_hour: Type.Optional(NotificationPreferences.properties.digest_hour),
  quiet_hours: Type.Optional(nullable(quietHours)),
  kinds: Type.Optional(
    closedObject(
      every(Type.Optional(closedObject({ inbox: Type.Optional(choices.properties.inbox), mail: Type.Optional(choices.properties.mail) }))),
    ),
  ),
});
/** Choices of a person; the rest has defaults. */
export type ChosenPreferences = Static<typeof Chosen>;

const own = {
  plane: 'control',
  area: 'events',
  credential: 'person',
  budget: 'caller',
  wire: 'json',
} as const;

export const notificationEndpoints = {
  listNotifications: defineEndpoint({
    ...own,
    method: 'GET',
    path: '/v1/notifications',
    summary: 'List your notifications in this organization that you may still read, newest first.',
    permissions: { none: 'members can read their own notifications; each kind requires read access to its resource' },
    query: closedObject({
      cursor: Type.Optional(Type.String({ maxLength: 2000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
      unread: Type.Optional(Type.Boolean({ description: 'Only unread notifications.' })),
      kind: Type.Optional(enumSchema(NOTIFICATION_KINDS)),
    }),
    result: cursorPage(Notification),
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  readNotification: defineEndpoint({
    ...own,
    method: 'POST',
    path: '/v1/notifications/{notificationId}/read',
    summary: 'Mark one notification as read. Does not change the resource that it links to.',
    permissions: { none: 'members can read their own notifications' },
    body: closedObject({}),
    bodyOptional: true,
    result: Notification,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  readAllNotifications: defineEndpoint({
    ...own,
    method: 'POST',
    path: '/v1/notifications/read',
    summary: 'Mark all readable notifications of this organization as read.',
    permissions: { none: 'members can mark their own notifications as read' },
    body: closedObject({}),
    bodyOptional: true,
    result: closedObject({ read: Type.Integer({ minimum: 0, description: 'Number of notifications that were unread.' }) }),
    emits: [],
    refuses: [],
  }),
  getNotificationPreferences: defineEndpoint({
    ...own,
    method: 'GET',
    path: '/v1/auth/profile/notifications',
    summary: 'Get your notification preferences, for all organizations.',
    permissions: { none: 'users can read their own preferences' },
    result: NotificationPreferences,
    emits: [],
    refuses: [],
  }),
  updateNotificationPreferences: defineEndpoint({
    ...own,
    method: 'PATCH',
    path: '/v1/auth/profile/notifications',
    summary: 'Change your notification preferences. Omitted fields keep their value.',
    permissions: { none: 'users can change their own preferences' },
    body: Chosen,
    result: NotificationPreferences,
    emits: ['user.profile_updated'],
    refuses: ['VALIDATION_FAILED', 'PERMISSION_DENIED'],
  }),
};
