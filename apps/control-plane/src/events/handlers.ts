import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { getAuditEvent } from './audit-events/get-audit-event.ts';
import { searchAuditEvents } from './audit-events/search-audit-events.ts';
import { streamEvents } from './audit-events/stream-events.ts';
import { exportAuditEvents } from './audit-exports/export-audit-events.ts';
import { getAuditEventProof } from './audit-log/get-audit-event-proof.ts';
import { getAuditLog } from './audit-log/get-audit-log.ts';
import { getAuditLogCheckpoint } from './audit-log/get-audit-log-checkpoint.ts';
import { getAuditLogConsistency } from './audit-log/get-audit-log-consistency.ts';
import { getAuditLogTile } from './audit-log/get-audit-log-tile.ts';
import { getAuditLogTileFar } from './audit-log/get-audit-log-tile-far.ts';
import { getAuditLogTileFarthest } from './audit-log/get-audit-log-tile-farthest.ts';
import { getAuditLogTilePart } from './audit-log/get-audit-log-tile-part.ts';
import { listAuditCheckpoints } from './audit-log/list-audit-checkpoints.ts';
import { verifyAuditEvents } from './audit-log/verify-audit-events.ts';
import { getAuditRetention } from './audit-retention/get-audit-retention.ts';
import { updateAuditRetention } from './audit-retention/update-audit-retention.ts';
import { createAuditSearch } from './audit-searches/create-audit-search.ts';
import { deleteAuditSearch } from './audit-searches/delete-audit-search.ts';
import { listAuditSearches } from './audit-searches/list-audit-searches.ts';
import { updateAuditSearch } from './audit-searches/update-audit-search.ts';
import { getComplianceReport } from './compliance/get-compliance-report.ts';
import { getDelivery } from './deliveries/get-delivery.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { redeliverDelivery } from './deliveries/redeliver-delivery.ts';
import { redeliverFailed } from './deliveries/redeliver-failed.ts';
import { testWebhook } from './deliveries/test-webhook.ts';
import type { EventsDeps } from './deps.ts';
import { createNotificationChannel } from './notification-channels/create-notification-channel.ts';
import { deleteNotificationChannel } from './notification-channels/delete-notification-channel.ts';
import { getNotificationChannel } from './notification-channels/get-notification-channel.ts';
import { listNotificationChannels } from './notification-channels/list-notification-channels.ts';
import { testNotificationChannel } from './notification-channels/test-notification-channel.ts';
import { updateNotificationChannel } from './notification-channels/update-notification-channel.ts';
import { getNotificationPreferences } from './notifications/get-notification-preferences.ts';
import { listNotifications } from './notifications/list-notifications.ts';
import { readAllNotifications } from './notifications/read-all-notifications.ts';
import { readNotification } from './notifications/read-notification.ts';
import { updateNotificationPreferences } from './notifications/update-notification-preferences.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const eventsHandlers: AreaHandlers<'control', 'events', EventsDeps> = {
  searchAuditEvents,
  getAuditEvent,
  createNotificationChannel,
  deleteNotificationChannel,
  getNotificationChannel,
  listNotificationChannels,
  testNotificationChannel,
  updateNotificationChannel,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listDeliveries,
  getDelivery,
  redeliverDelivery,
  redeliverFailed,
  testWebhook,
  listNotifications,
  readNotification,
  readAllNotifications,
  getNotificationPreferences,
  updateNotificationPreferences,
  streamEvents,
  exportAuditEvents,
  getAuditEventProof,
  getAuditLog,
  getAuditLogCheckpoint,
  getAuditLogConsistency,
  getAuditLogTile,
  getAuditLogTileFar,
  getAuditLogTileFarthest,
  getAuditLogTilePart,
  listAuditCheckpoints,
  verifyAuditEvents,
  getComplianceReport,
  getAuditRetention,
  updateAuditRetention,
  listAuditSearches,
  createAuditSearch,
  updateAuditSearch,
  deleteAuditSearch,
};
