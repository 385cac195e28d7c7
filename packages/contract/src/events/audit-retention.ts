import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, nullable, reason, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { keepDaysMin, keepDaysMax, graceSeconds } = LIMITS.retention;
const keepDays = Type.Integer({
  minimum: keepDaysMin,
  maximum: keepDaysMax,
  description: 'Minimum number of days that events are kept. Events are removed together with all other events of their month.',
});
const leaves = (description: string) => Type.Integer({ minimum: 0, description });

export const AuditRetention = closedObject({
  keep_days: nullable(keepDays),
  changed_at: nullable(timestamp),
  removes_from: nullable(
    Type.String({
      format: 'date-time',
      description: `Earliest time of a removal, ${graceSeconds / 86_400} days after the last change; null if retention is unlimited.`,
    }),
  ),
  announced_leaves: leaves('Events with a lower sequence may be missing. A signed event in the log states this.'),
  removed_leaves: leaves('Events with a lower sequence have been removed.'),
});
export type AuditRetention = Static<typeof AuditRetention>;

export const auditRetentionEndpoints = {
  getAuditRetention: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'GET',
    path: '/v1/audit-events/retention',
    summary: 'Get the retention of audit events, and the last removed event.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:read'],
    result: AuditRetention,
    emits: [],
    refuses: [],
  }),
  updateAuditRetention: defineEndpoint({
    plane: 'control',
    area: 'events',
    method: 'PATCH',
    path: '/v1/audit-events/retention',
    summary: 'Change the retention of audit events: at least half a year, or unlimited.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:update_retention'],
    body: closedObject({ keep_days: nullable(keepDays), reason }),
    result: AuditRetention,
    emits: ['audit.retention_updated'],
    refuses: ['PERMISSION_DENIED'],
  }),
};
