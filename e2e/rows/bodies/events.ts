import type { Asked, Bodies } from './bodies-of.ts';

export const eventBodies = ({ made }: Asked): Bodies => ({
  updateAuditRetention: { keep_days: 365 + made, reason: 'so it is said' },
  createWebhook: { name: `Receiver ${made}`, url: 'https://127.0.0.1:9/hook', event_types: ['agent.created'] },
  updateWebhook: { name: `Receiver ${made}`, event_types: ['agent.created', 'agent.updated'] },
  createAuditSearch: { name: `Search ${made}`, filter: { severity: 'critical' } },
  updateAuditSearch: { name: `Search ${made}` },
  rotateWebhookSecret: {},
  testWebhook: {},
  readNotification: {},
  readAllNotifications: {},
  updateNotificationPreferences: { digest_hour: 7, time_zone: 'Europe/Berlin' },
  createNotificationChannel: {
    name: `Channel ${made}`,
    webhook_url: 'https://hooks.slack.com/services/T0/B0/0123456789abcdef',
    notices: ['emergency'],
  },
  updateNotificationChannel: { name: `Channel ${made}`, notices: ['emergency', 'key_expiring'] },
  testNotificationChannel: {},
  redeliverDelivery: {},
  redeliverFailed: { since: '2026-01-31T09:30:00.000Z' },
});
