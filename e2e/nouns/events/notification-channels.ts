import { newChannel } from '@svc/testing/events/new-channel.ts';
import type { NounTests } from '../noun-tests.ts';
import type { Play } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

const CHANNEL = { webhook_url: 'https://hooks.slack.com/services/T0/B0/0123456789abcdef', notices: ['emergency'] };

/** Sends a request about a new channel. */
const ofChannel =
  <Type extends 'notification_channel.updated' | 'notification_channel.deleted'>(type: Type, method: string, path: string, body?: object) =>
  async ({ tenant, send }: NounScene): Promise<Play<Type>[]> => {
    const { channelId } = await newChannel(tenant);
    const answer = await send(method, `/v1/notification-channels/${channelId}${path}`, body);
    return [{ answer, events: [[type, 'notification_channel', channelId]] }];
  };

export const notificationChannelTests = {
  one: (of, word, within) => newChannel(of, { name: `${word} channel`, ...within }),
  scopes: { notification_channel: ownColumns('notification_channels') },
  bodies: ({ made }) => ({
    createNotificationChannel: {
      name: `Channel ${made}`,
      webhook_url: 'https://hooks.slack.com/services/T0/B0/0123456789abcdef',
      notices: ['emergency'],
    },
    updateNotificationChannel: { name: `Channel ${made}`, notices: ['emergency', 'key_expiring'] },
    testNotificationChannel: {},
  }),
  recipes: {
    createNotificationChannel: async ({ send, name }) => {
      const answer = await send('POST', '/v1/notification-channels', { name: name('channel'), ...CHANNEL });
      return [{ answer, events: [['notification_channel.created', 'notification_channel', answer.json.id]] }];
    },
    updateNotificationChannel: ofChannel('notification_channel.updated', 'PATCH', '', { status: 'DISABLED' }),
    deleteNotificationChannel: ofChannel('notification_channel.deleted', 'DELETE', ''),
    testNotificationChannel: ofChannel('notification_channel.updated', 'POST', '/test', {}),
  },
} as const satisfies NounTests;
