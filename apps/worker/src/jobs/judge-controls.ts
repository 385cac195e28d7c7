import { CONTROL_NAMES } from '@svc/contract/tables/compliance/controls.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { describeControls, listMeasures } from '@svc/domain/events/compliance/write-report.ts';
import { measureOrganization } from '@svc/operations/events/compliance/measure-organization.ts';
import { recordJudgement } from '@svc/operations/events/compliance/record-judgement.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { claimJudgement, findOrganizationsToJudge } from '@svc/postgres/events/compliance/judgements.ts';
import type { SystemIds } from '../system-context.ts';
import { changeByClock, type JobDeps, runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

const { judgedEverySeconds, judgedAtOnceMax, periodDays } = LIMITS.compliance;
const DAY_MS = 86_400_000;
const NAME = 'judge-controls';

/** Measures between two short transactions, so that it blocks no write. One of several replicas does it. */
const judgeOne = async (deps: JobDeps & { readonly ids: SystemIds }, organizationId: string, before: Date): Promise<void> => {
  const now = deps.clock();
  const kept = await changeByClock(deps, organizationId, now, ({ tx }) => claimJudgement(tx, organizationId, { now, before }));
  if (kept === undefined) return;
  const scope = { organization_id: organizationId };
  const from = new Date(now.getTime() - periodDays * DAY_MS);
  const counts = await measureOrganization((work) => searchInTenant(deps.database, scope, work), listMeasures(CONTROL_NAMES), {
    organizationId,
    from,
    to: now,
    now,
  });
  const period = { from: from.toISOString(), to: now.toISOString() };
  const controls = describeControls(CONTROL_NAMES, { period, counts, recorded: {} });
  const request = { organizationId, controls, previous: kept, now };
  await changeByClock(deps, organizationId, now, (change) => recordJudgement(change, request));
};

/** Judges the controls of each organization about every hour, and records changes. */
export const judgeControls: JobRound = {
  name: NAME,
  everyMs: 60_000,
  run: async (deps, isStopped) => {
    const before = new Date(deps.clock().getTime() - judgedEverySeconds * 1_000);
    const due = await runPart(deps, NAME, undefined, () => findOrganizationsToJudge(deps.identity, before, judgedAtOnceMax));
    if (!Array.isArray(due)) return;
    for (const organizationId of due) {
      if (isStopped()) return;
      await runPart(deps, NAME, organizationId, (ids) => judgeOne({ ...deps, ids }, organizationId, before));
    }
  },
};
