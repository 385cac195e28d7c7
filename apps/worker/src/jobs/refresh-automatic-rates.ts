import type { RateProvider } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';
import { noteFailure, storeRates } from '@svc/operations/money/fx-rates/store-rates.ts';
import { claimRefresh, findOrganizationsWithOldRates } from '@svc/postgres/money/fx-rates/exchange-rate-refreshes.ts';
import type { SystemIds } from '../system-context.ts';
import { changeByClock, type JobDeps, runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

const LOOK_EVERY_MS_MAX = 10_000;

type Due = { readonly id: string; readonly base_currency: string };

/** The replica that records the attempt fetches the rates. It holds no database connection during the call. */
const refreshOne = async (
  deps: JobDeps & { readonly ids: SystemIds },
  fetchRates: RateProvider['fetchRates'],
  { id, base_currency }: Due,
  before: Date,
): Promise<void> => {
  const claimed = await changeByClock(deps, id, deps.clock(), ({ tx }) =>
    claimRefresh(tx, id, { base_currency, now: deps.clock(), before }),
  );
  if (!claimed) return;
  const answer = await fetchRates(base_currency);
  const now = deps.clock();
  await changeByClock(deps, id, now, async (change) => {
    if ('fault' in answer) await noteFailure(change, id, { base_currency, failure: answer.fault, now, always: false });
    else await storeRates(change, id, { base_currency, ...answer, now, by: 'system' });
  });
};

const NAME = 'refresh-automatic-rates';

/** Fetches automatic rates for each organization whose last attempt is older than the interval, or was for another base currency. */
export const refreshAutomaticRates = (provider: RateProvider, refreshSeconds: number): JobRound => ({
  name: NAME,
  everyMs: Math.min(refreshSeconds * 1000, LOOK_EVERY_MS_MAX),
  run: async (deps, isStopped) => {
    const before = new Date(deps.clock().getTime() - refreshSeconds * 1000);
    const due = await runPart(deps, NAME, undefined, () => findOrganizationsWithOldRates(deps.identity, before));
    if (!Array.isArray(due)) return;
    const answers = new Map<string, ReturnType<RateProvider['fetchRates']>>();
    // Organizations with the same base currency share one request per round.
    const fetchOnce: RateProvider['fetchRates'] = (base) => {
      const answer = answers.get(base) ?? provider.fetchRates(base);
      answers.set(base, answer);
      return answer;
    };
    for (const each of due) {
      if (isStopped()) return;
      await runPart(deps, NAME, each.id, (ids) => refreshOne({ ...deps, ids }, fetchOnce, each, before));
    }
  },
});
