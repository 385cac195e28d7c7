import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { insertNotification } from '@svc/testing/records/insert-notification.ts';
import type { ChangingOperation, Recipes } from './play.ts';

/** What a person was told, and how they want to be. */
export const notificationRecipes = {
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
} satisfies Pick<Recipes, Extract<ChangingOperation, `${string}Notification${string}`>>;
