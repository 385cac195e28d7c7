import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { change } from '@svc/postgres/change/change.ts';
import { type Crowded, findCrowded, giveUpCrowd } from '@svc/postgres/events/webhooks/give-up-crowd.ts';
import { inEachOrganization } from './in-each-organization.ts';
import { asWorker } from './sending/as-worker.ts';
import type { SettleDeps } from './sending/settle-ended.ts';

export type Crowding = { readonly waitingMax: number; readonly givenUpMax: number };

const ofOne = ({ database, clock }: SettleDeps, crowded: Crowded, { waitingMax, givenUpMax }: Crowding): Promise<number> =>
  change<ClockEvent<'send-webhooks'>, number>(database, asWorker({ clock }, crowded.organization_id), async ({ tx, emit }) => {
    const reason = `More than ${waitingMax} deliveries were waiting for the receiver, so the oldest failed. Redeliver them when the receiver is available.`;
    const deliveries = await giveUpCrowd(tx, crowded, { waitingMax, limit: givenUpMax, reason });
    if (deliveries > 0) emit('webhook.delivery_failed', { ...about.webhook_subscription(crowded), data: { deliveries, reason } });
    return deliveries;
  });

/**
 * Ends what has waited longest for receivers for which too much waits, a bounded number of each, told in the record. True while there may be
 * more of it.
 */
export const giveUpOldest = async (deps: SettleDeps, bounds: Crowding = LIMITS.webhooks): Promise<boolean> => {
  let hasMore = false;
  const work = async (crowded: Crowded): Promise<void> => {
    if ((await ofOne(deps, crowded, bounds)) >= bounds.givenUpMax) hasMore = true;
  };
  await inEachOrganization(deps.log, await findCrowded(deps.reader, bounds.waitingMax), work, ({ organization_id }) => ({
    organization_id,
  }));
  return hasMore;
};
