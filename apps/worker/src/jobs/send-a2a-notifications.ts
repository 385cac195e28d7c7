import { type NotifyDeps, notifyPartner } from '@svc/operations/peers/a2a/notify-partner.ts';
import { findDueNotifications } from '@svc/postgres/peers/a2a/a2a-push-targets.ts';
import { changeByClock, runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

const NAME = 'send-a2a-notifications';
const EVERY_MS = 1_000;
/** A hanging partner blocks its slot, so each organization has a limited number of slots per round. */
const MOST = { countMax: 40, ofOneMax: 4 };
const AT_ONCE = 8;

/** Notifies partners of the states of tasks of published agents. One of several replicas sends a notification. */
export const sendA2aNotifications = (notifying: Omit<NotifyDeps, 'clock'>): JobRound => ({
  name: NAME,
  everyMs: EVERY_MS,
  run: async (deps, isStopped) => {
    const due = await runPart(deps, NAME, undefined, () => findDueNotifications(deps.identity, deps.clock(), MOST));
    if (!Array.isArray(due)) return;
    const left = [...due];
    const work = async (): Promise<void> => {
      for (let key = left.shift(); key !== undefined && !isStopped(); key = left.shift()) {
        const next = key;
        await runPart(deps, NAME, next.organization_id, (ids) =>
          notifyPartner(
            (change) => changeByClock({ ...deps, ids }, next.organization_id, deps.clock(), change) as ReturnType<typeof change>,
            next,
            { ...notifying, clock: deps.clock },
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
});
