import type { NounFacts } from '../../tables/noun-facts.ts';

export const deliveryNouns = {
  webhook_delivery: {
    idPrefix: 'dlv',
    table: 'webhook_deliveries',
    parameters: { deliveryId: { noun: 'webhook delivery' } },
  },
} as const satisfies Record<string, NounFacts>;
