import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, nullable, reason, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { keepDaysMin, keepDaysMax, graceSeconds } = LIMITS.retention;
const keepDays = Type.Integer({
  minimum: keepDaysMin,
  maximum: keepDaysMax,
  description: 'Events are kept for so many days at least, and go with the rest of their month.',
});
const leaves = (description: string) => Type.Integer({ minimum: 0, description });

export const AuditRetention = closed({
  keep_days: nullable(keepDays),
  changed_at: nullable(timestamp),
  removes_from: nullable(
    Type.String({
      format: 'date-time',
      description: `Nothing is removed before this time, ${graceSeconds / 86_400} days after the last change; null where all is kept.`,
    }),
  ),
  announced_leaves: leaves('Events whose sequence is below this may be missing: an event of the record says so, signed.'),
  removed_leaves: leaves('Events whose sequence is below this have been removed.'),
});
export type AuditRetention = Static<typeof AuditRetention>;

export const auditRetentionEndpoints = {
  getAuditRetention: endpoint({
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
  updateAuditRetention: endpoint({
    plane: 'control',
    area: 'events',
    method: 'PATCH',
    path: '/v1/audit-events/retention',
    summary: 'Change the retention of audit events: at least half a year, or unlimited.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['audit:update_retention'],
    body: closed({ keep_days: nullable(keepDays), reason }),
    result: AuditRetention,
    emits: ['audit.retention_updated'],
    refuses: ['PERMISSION_DENIED'],
  }),
};
