import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { closeUnreportedActions as closeUnreported } from '@svc/operations/actions/actions/close-unreported-actions.ts';
import { findOrganizationsWithUnreportedActions, type UnreportedBefore } from '@svc/postgres/actions/actions/unreported-actions.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import type { Job } from './job.ts';

/** Closes actions that agents execute themselves and did not report in time. */
export const closeUnreportedActions = (withinSeconds: number): Job<ClockEvent<'close-unreported-actions'>> => {
  const boundAt = (now: Date): UnreportedBefore => {
    const time = new Date(now.getTime() - withinSeconds * 1_000);
    return { time, actionId: getMinIdForTime('action', time) };
  };
  return {
    name: 'close-unreported-actions',
    everyMs: 30_000,
    findOrganizations: (identity, now) => findOrganizationsWithUnreportedActions(identity, boundAt(now)),
    step: (change, organizationId, now) => closeUnreported(change, organizationId, boundAt(now)),
  };
};
