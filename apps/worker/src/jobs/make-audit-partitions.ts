import { makePartitions } from '@svc/postgres/audit/partitions/make-partitions.ts';
import { runPart } from './job.ts';
import type { Round } from './start-jobs.ts';

/**
 * Makes the months that events are kept in, before they begin. Here and nowhere else: an installation has a control plane, and where it is away
 * for longer than three months nothing is lost, since events of a month that is missing are kept aside until it is made.
 */
export const makeAuditPartitions: Round = {
  name: 'make-audit-partitions',
  everyMs: 600_000,
  run: async (deps) => {
    const made = await runPart(deps, 'make-audit-partitions', undefined, () => makePartitions(deps.identity));
    if (typeof made === 'number' && made > 0) deps.log.info({ made }, 'partitions of the audit were made');
  },
};
