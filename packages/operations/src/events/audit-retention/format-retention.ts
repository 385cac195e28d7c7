import type { AuditRetention } from '@svc/contract/events/audit-retention.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RetentionRow } from '@svc/postgres/audit/retention/audit-retention.ts';

/** Formats the retention with the time from which it is applied. */
export const formatRetention = (row: RetentionRow): AuditRetention => {
  const { keep_days, changed_at } = row;
  const from = changed_at === null || keep_days === null ? null : Date.parse(changed_at) + LIMITS.retention.graceSeconds * 1_000;
  return { ...row, removes_from: from === null ? null : new Date(from).toISOString() };
};
