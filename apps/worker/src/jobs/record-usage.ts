import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { recordUsage as record } from '@svc/operations/tenancy/organization/record-usage.ts';
import { findOrganizationsWithoutUsage, type UsageDay } from '@svc/postgres/tenancy/organization/usage.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import type { Job } from './job.ts';

const DAY_MS = 86_400_000;
/** Days that are recorded later if no worker ran. */
const DAYS_BACK = 7;
/** A decision can be recorded shortly after the time in its id. */
const SETTLED_MS = 600_000;

const endedDays = (now: Date): readonly UsageDay[] => {
  const today = Math.floor((now.getTime() - SETTLED_MS) / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS_BACK }, (_, index) => {
    const start = today - (DAYS_BACK - index) * DAY_MS;
    return {
      day: new Date(start).toISOString().slice(0, 10),
      firstId: getMinIdForTime('action', new Date(start)),
      endId: getMinIdForTime('action', new Date(start + DAY_MS)),
    };
  });
};

/** Records the usage of each organization on each day, after the day has ended in UTC. */
export const recordUsage: Job<ClockEvent<'record-usage'>> = {
  name: 'record-usage',
  everyMs: 600_000,
  findOrganizations: (identity, now) => findOrganizationsWithoutUsage(identity, endedDays(now)),
  step: (change, organizationId, now) => record(change, organizationId, endedDays(now), now),
};
