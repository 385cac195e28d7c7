import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { insertNotification } from '@svc/testing/records/insert-notification.ts';
import type { NounTests } from '../noun-tests.ts';

export const notificationTests = {
  scopes: { notification: null },
  bodies: () => ({
    readNotification: {},
    readAllNotifications: {},
    updateNotificationPreferences: { digest_hour: 7, time_zone: 'Europe/Berlin' },
  }),
  recipes: {
    readNotification: async ({ database, tenant, send }) => {
      const id = await insertNotification(database, { organizationId: tenant.organization_id, userId: tenant.user.id });
      return [{ answer: await send('POST', `/v1/notifications/${id}/read`), events: [] }];
    },
    readAllNotifications: async ({ send }) => [{ answer: await send('POST', '/v1/notifications/read'), events: [] }],
    updateNotificationPreferences: async ({ planes }) => {
      const { token, user } = await signUp(planes.controlUrl);
      const answer = await call(planes.controlUrl, 'PATCH', '/v1/auth/profile/notifications', { token, body: { digest_hour: 6 } });
      return [{ answer, by: { type: 'USER', id: user.id }, events: [['user.profile_updated', 'user', user.id]] }];
    },
  },
} as const satisfies NounTests;
