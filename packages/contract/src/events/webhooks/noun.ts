import type { NounFacts } from '../../tables/noun-facts.ts';

export const webhookNouns = {
  webhook_subscription: {
    idPrefix: 'whs',
    table: 'webhook_subscriptions',
    parameters: { subscriptionId: { noun: 'webhook subscription' } },
    eventScope: 'columns',
    events: {
      'webhook.subscription_created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A webhook subscription was created.',
      },
      'webhook.subscription_updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A webhook subscription was changed, disabled or deleted.',
      },
      'webhook.secret_rotated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The signing secret of a webhook subscription was replaced.',
      },
      'webhook.delivery_failed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'A webhook delivery failed permanently.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
