import { makePartitions } from '@svc/postgres/audit/partitions/make-partitions.ts';
import { runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

/**
 * Creates the monthly partitions of events in advance. If no worker runs for longer than three months nothing is lost: events of a missing
 * month are in the default partition until it is created.
 */
export const makeAuditPartitions: JobRound = {
  name: 'make-audit-partitions',
  everyMs: 600_000,
  run: async (deps) => {
    const made = await runPart(deps, 'make-audit-partitions', undefined, () => makePartitions(deps.identity));
    if (typeof made === 'number' && made > 0) deps.log.info({ made }, 'partitions of the audit were made');
  },
};
