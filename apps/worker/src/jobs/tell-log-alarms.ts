import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { recordLogAlarms } from '@svc/operations/events/audit-log/tell-log-alarms.ts';
import { findUntoldLogs } from '@svc/postgres/audit/log/alarms.ts';
import type { Job } from './job.ts';

/** Records that an audit log was put on hold, was released, or conflicts with its anchors. */
export const recordLogAlarmsJob: Job<ClockEvent<'tell-log-alarms'>> = {
  name: 'tell-log-alarms',
  everyMs: 5_000,
  findOrganizations: (identity) => findUntoldLogs(identity),
  step: async (change, organizationId) => {
    await recordLogAlarms(change, organizationId);
    return false;
  },
};
