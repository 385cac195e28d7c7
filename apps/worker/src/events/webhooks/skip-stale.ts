import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { skipStaleEvents } from '@svc/operations/events/deliveries/skip-stale-events.ts';
import { change } from '@svc/postgres/change/change.ts';
import { findStaleStretches } from '@svc/postgres/events/webhooks/stretches.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import { createSystemContext } from '../../system-context.ts';
import { forEachOrganization } from './in-each-organization.ts';
import type { SettleDeps } from './sending/settle-ended.ts';

/** Skips events of organizations whose receivers have not accepted enough for too long. */
export const skipStale = async (deps: SettleDeps, secondsMax: number = LIMITS.webhooks.stretchSecondsMax): Promise<void> => {
  const before = getMinIdForTime('audit_event', new Date(deps.clock().getTime() - secondsMax * 1_000));
  const skip = (organizationId: string): Promise<void> =>
    change<ClockEvent<'send-webhooks'>, void>(deps.database, createSystemContext(organizationId, deps.clock()), (each) =>
      skipStaleEvents(each, { organizationId, before }),
    );
  await forEachOrganization(deps.log, await findStaleStretches(deps.reader, before), skip, (organization_id) => ({ organization_id }));
};
