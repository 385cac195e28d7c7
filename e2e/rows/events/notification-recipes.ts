import { newChannel } from '@svc/testing/events/new-channel.ts';
import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { insertNotification } from '@svc/testing/records/insert-notification.ts';
import type { ChangingOperation, Play, Recipes } from './play.ts';
import type { Scene } from './scene.ts';

const CHANNEL = { webhook_url: 'https://hooks.slack.com/services/T0/B0/0123456789abcdef', notices: ['emergency'] };

/** Asks for something of a channel that was made for it. */
const ofChannel =
  <Type extends 'notification_channel.updated' | 'notification_channel.deleted'>(type: Type, method: string, path: string, body?: object) =>
  async ({ tenant, send }: Scene): Promise<Play<Type>[]> => {
    const { channelId } = await newChannel(tenant);
    const answer = await send(method, `/v1/notification-channels/${channelId}${path}`, body);
    return [{ answer, events: [[type, 'notification_channel', channelId]] }];
  };

/** What a person was told, and how they want to be. */
export const notificationRecipes = {
  readNotification: async ({ database, tenant, send }) => {
    const id = await insertNotification(database, { organizationId: tenant.organization_id, userId: tenant.user.id });
    return [{ answer: await send('POST', `/v1/notifications/${id}/read`), events: [] }];
  },
  readAllNotifications: async ({ send }) => [{ answer: await send('POST', '/v1/notifications/read'), events: [] }],
  createNotificationChannel: async ({ send, name }) => {
    const answer = await send('POST', '/v1/notification-channels', { name: name('channel'), ...CHANNEL });
    return [{ answer, events: [['notification_channel.created', 'notification_channel', answer.json.id]] }];
  },
  updateNotificationChannel: ofChannel('notification_channel.updated', 'PATCH', '', { status: 'DISABLED' }),
  deleteNotificationChannel: ofChannel('notification_channel.deleted', 'DELETE', ''),
  testNotificationChannel: ofChannel('notification_channel.updated', 'POST', '/test', {}),
  updateNotificationPreferences: async ({ planes }) => {
    const { token, user } = await signUp(planes.controlUrl);
    const answer = await call(planes.controlUrl, 'PATCH', '/v1/auth/profile/notifications', { token, body: { digest_hour: 6 } });
    return [{ answer, by: { type: 'USER', id: user.id }, events: [['user.profile_updated', 'user', user.id]] }];
  },
} satisfies Pick<Recipes, Extract<ChangingOperation, `${string}Notification${string}`>>;
