import { newWebhook } from '@svc/testing/events/new-webhook.ts';
import type { NounTests } from '../noun-tests.ts';
import type { Play } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

const RECEIVER = { url: 'https://127.0.0.1:9/hook', event_types: ['agent.created'] };

/** Sends a request about a new subscription. */
export const sendChange =
  (method: string, path: string, body?: object) =>
  async ({ tenant, send }: NounScene): Promise<Play<'webhook.subscription_updated'>[]> => {
    const { subscriptionId, deliveryId } = await newWebhook(tenant);
    const answer = await send(method, `/v1/webhooks/${subscriptionId}${path.replace('{deliveryId}', deliveryId)}`, body);
    return [{ answer, events: [['webhook.subscription_updated', 'webhook_subscription', subscriptionId]] }];
  };

export const webhookTests = {
  one: (of, word, within) => newWebhook(of, { name: `${word} receiver`, ...within }),
  scopes: { webhook_subscription: ownColumns('webhook_subscriptions') },
  bodies: ({ made }) => ({
    createWebhook: { name: `Receiver ${made}`, url: 'https://127.0.0.1:9/hook', event_types: ['agent.created'] },
    updateWebhook: { name: `Receiver ${made}`, event_types: ['agent.created', 'agent.updated'] },
    rotateWebhookSecret: {},
  }),
  recipes: {
    createWebhook: async ({ send, name }) => {
      const answer = await send('POST', '/v1/webhooks', { name: name('receiver'), ...RECEIVER });
      return [{ answer, events: [['webhook.subscription_created', 'webhook_subscription', answer.json.id]] }];
    },
    updateWebhook: sendChange('PATCH', '', { status: 'DISABLED' }),
    deleteWebhook: sendChange('DELETE', ''),
    rotateWebhookSecret: async ({ tenant, send }) => {
      const { subscriptionId } = await newWebhook(tenant);
      const answer = await send('POST', `/v1/webhooks/${subscriptionId}/rotate-secret`, {});
      return [{ answer, events: [['webhook.secret_rotated', 'webhook_subscription', subscriptionId]] }];
    },
  },
} as const satisfies NounTests;
