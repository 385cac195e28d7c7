import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { announceMore, type RetentionSigner } from '@svc/operations/events/audit-retention/announce-removal.ts';
import { findOrganizationsWithRetention, lockRetention } from '@svc/postgres/audit/retention/audit-retention.ts';
import { findAnnounced, removeSome } from '@svc/postgres/audit/retention/remove-events.ts';
import type { Job } from './job.ts';

/**
 * Removes events after the retention of their organization. The removal is announced first; when that event is sealed the events are
 * removed in parts. A crash in between loses nothing: the announcement stays, and no event is removed twice.
 */
export const removeAuditEvents = (signer: RetentionSigner): Job<ClockEvent<'remove-audit-events'>> => ({
  name: 'remove-audit-events',
  everyMs: 600_000,
  findOrganizations: findOrganizationsWithRetention,
  step: async (change, organizationId) => {
    const retention = await lockRetention(change.tx, organizationId);
    if (retention.keep_days === null) return false;
    const announced = await findAnnounced(change.tx, organizationId);
    if (announced === 'said') return false;
    if (announced === 'sealed' && (await removeSome(change.tx, organizationId, LIMITS.retention.removedLeavesMax))) return true;
    await announceMore(change, signer, organizationId, retention, announced === undefined);
    return false;
  },
});
