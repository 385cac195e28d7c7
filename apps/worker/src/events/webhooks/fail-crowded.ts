import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { failOldestDeliveries } from '@svc/operations/events/deliveries/fail-oldest-deliveries.ts';
import { change } from '@svc/postgres/change/change.ts';
import { type Crowded, findCrowded } from '@svc/postgres/events/webhooks/give-up-crowd.ts';
import { createSystemContext } from '../../system-context.ts';
import { forEachOrganization } from './in-each-organization.ts';
import type { SettleDeps } from './sending/settle-ended.ts';

export type CrowdBounds = { readonly waitingMax: number; readonly givenUpMax: number };

const failOldest = ({ database, clock }: SettleDeps, subscription: Crowded, bounds: CrowdBounds): Promise<number> => {
  const request = { subscription, waitingMax: bounds.waitingMax, limit: bounds.givenUpMax };
  return change<ClockEvent<'send-webhooks'>, number>(database, createSystemContext(subscription.organization_id, clock()), (each) =>
    failOldestDeliveries(each, request),
  );
};

/** Fails the oldest deliveries of each receiver with too many queued, a bounded number of each. Returns true if there may be more. */
export const failCrowded = async (deps: SettleDeps, bounds: CrowdBounds = LIMITS.webhooks): Promise<boolean> => {
  let hasMore = false;
  const work = async (crowded: Crowded): Promise<void> => {
    if ((await failOldest(deps, crowded, bounds)) >= bounds.givenUpMax) hasMore = true;
  };
  await forEachOrganization(deps.log, await findCrowded(deps.reader, bounds.waitingMax), work, ({ organization_id }) => ({
    organization_id,
  }));
  return hasMore;
};
