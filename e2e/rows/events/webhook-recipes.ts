import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import type { ChangingOperation, Play, Recipes } from './play.ts';
import type { Scene } from './scene.ts';

const RECEIVER = { url: 'https://127.0.0.1:9/hook', event_types: ['agent.created'] };

/** Asks for something of a subscription that was made for it. */
const changing =
  (method: string, path: string, body?: object) =>
  async ({ tenant, send }: Scene): Promise<Play<'webhook.subscription_updated'>[]> => {
    const { subscriptionId, deliveryId } = await newWebhook(tenant);
    const answer = await send(method, `/v1/webhooks/${subscriptionId}${path.replace('{deliveryId}', deliveryId)}`, body);
    return [{ answer, events: [['webhook.subscription_updated', 'webhook_subscription', subscriptionId]] }];
  };

/** Receivers of events, and what is asked of their deliveries. */
export const webhookRecipes = {
  createWebhook: async ({ send, name }) => {
    const answer = await send('POST', '/v1/webhooks', { name: name('receiver'), ...RECEIVER });
    return [{ answer, events: [['webhook.subscription_created', 'webhook_subscription', answer.json.id]] }];
  },
  updateWebhook: changing('PATCH', '', { status: 'DISABLED' }),
  deleteWebhook: changing('DELETE', ''),
  testWebhook: changing('POST', '/test', {}),
  redeliverDelivery: changing('POST', '/deliveries/{deliveryId}/redeliver', {}),
  redeliverFailed: changing('POST', '/redeliver', { since: '2026-01-31T09:30:00.000Z' }),
  rotateWebhookSecret: async ({ tenant, send }) => {
    const { subscriptionId } = await newWebhook(tenant);
    const answer = await send('POST', `/v1/webhooks/${subscriptionId}/rotate-secret`, {});
    return [{ answer, events: [['webhook.secret_rotated', 'webhook_subscription', subscriptionId]] }];
  },
} satisfies Pick<Recipes, Extract<ChangingOperation, `${string}ebhook${string}` | `redeliver${string}`>>;
