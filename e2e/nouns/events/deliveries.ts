import type { NounTests } from '../noun-tests.ts';
import { changing } from './webhooks.ts';

export const deliveryTests = {
  bodies: () => ({
    testWebhook: {},
    redeliverDelivery: {},
    redeliverFailed: { since: '2026-01-31T09:30:00.000Z' },
  }),
  recipes: {
    testWebhook: changing('POST', '/test', {}),
    redeliverDelivery: changing('POST', '/deliveries/{deliveryId}/redeliver', {}),
    redeliverFailed: changing('POST', '/redeliver', { since: '2026-01-31T09:30:00.000Z' }),
  },
} as const satisfies NounTests;
