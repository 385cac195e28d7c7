import type { NounTests } from '../noun-tests.ts';
import { sendChange } from './webhooks.ts';

export const deliveryTests = {
  bodies: () => ({
    testWebhook: {},
    redeliverDelivery: {},
    redeliverFailed: { since: '2026-01-31T09:30:00.000Z' },
  }),
  recipes: {
    testWebhook: sendChange('POST', '/test', {}),
    redeliverDelivery: sendChange('POST', '/deliveries/{deliveryId}/redeliver', {}),
    redeliverFailed: sendChange('POST', '/redeliver', { since: '2026-01-31T09:30:00.000Z' }),
  },
} as const satisfies NounTests;
