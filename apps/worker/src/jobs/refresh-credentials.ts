import { refreshCredential } from '@svc/operations/credentials/tokens/refresh-credential.ts';
import type { TokenDesk } from '@svc/operations/credentials/tokens/token-desk.ts';
import { findDueRefreshes } from '@svc/postgres/credentials/tokens/leases.ts';
import { runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

const NAME = 'refresh-credentials';
const EVERY_MS = 5_000;
/** A hanging server blocks its slot, so each organization has a limited number of slots per round. */
const MOST = { countMax: 40, ofOneMax: 2 };
const AT_ONCE = 4;

/**
 * Continues refreshes for which no request waits, mainly those whose process ended: a server that rotates refresh tokens accepts the
 * previous one only briefly. One of several replicas gets the lease, as among gateways.
 */
export const refreshCredentials = (desk: TokenDesk): JobRound => ({
  name: NAME,
  everyMs: EVERY_MS,
  run: async (deps, isStopped) => {
    const due = await runPart(deps, NAME, undefined, () => findDueRefreshes(deps.identity, deps.clock(), MOST));
    if (!Array.isArray(due)) return;
    const left = [...due];
    const work = async (): Promise<void> => {
      for (let key = left.shift(); key !== undefined && !isStopped(); key = left.shift()) {
        const of = key;
        await runPart(deps, NAME, of.organization_id, () => refreshCredential(desk, of, of.version));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  },
});
