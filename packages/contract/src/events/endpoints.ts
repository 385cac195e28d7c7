import type { AreaEndpoints } from '../rows/area-rows.ts';
import { auditEventEndpoints } from './audit-events.ts';
import { auditExportEndpoints } from './audit-exports.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { auditRetentionEndpoints } from './audit-retention.ts';
import { auditSearchEndpoints } from './audit-searches.ts';
import { complianceEndpoints } from './compliance.ts';
import { deliveryEndpoints } from './deliveries.ts';
import { notificationChannelEndpoints } from './notification-channels.ts';
import { notificationEndpoints } from './notifications.ts';
import { webhookEndpoints } from './webhooks.ts';

export const EVENTS = {
  ...auditEventEndpoints,
  ...auditExportEndpoints,
  ...auditLogEndpoints,
  ...complianceEndpoints,
  ...auditRetentionEndpoints,
  ...auditSearchEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...notificationEndpoints,
  ...notificationChannelEndpoints,
} as const satisfies AreaEndpoints<'events'>;
