import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { dropSome } from '@svc/postgres/audit/retention/remove-events.ts';
import { runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

/** Drops months of expired events, after checking that every event in them is sealed and announced. */
export const dropAuditPartitions: JobRound = {
  name: 'drop-audit-partitions',
  everyMs: 600_000,
  run: async (deps, isStopped) => {
    while (!isStopped()) {
      const step = await runPart(deps, 'drop-audit-partitions', undefined, () =>
        dropSome(deps.identity, LIMITS.retention.checkedEventsMax),
      );
      if (step === undefined || isRefusal(step)) return;
      if (step.is_dropped) deps.log.info({ partition: step.called }, 'dropped one month of expired events');
    }
  },
};
