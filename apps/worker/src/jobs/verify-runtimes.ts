import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { decayRuntime } from '@svc/operations/runtimes/runtimes/decay-runtime.ts';
import { applyOperation } from '@svc/operations/runtimes/runtimes/instance/apply-operation.ts';
import type { InstanceDeps } from '@svc/operations/runtimes/runtimes/instance/test-runtime.ts';
import { scheduleVerification } from '@svc/operations/runtimes/runtimes/verification/schedule-verification.ts';
import { takeRun } from '@svc/operations/runtimes/runtimes/verification/take-run-step.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type DueRuntime, findDueRuntimes } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { findDueRuns } from '@svc/postgres/runtimes/runtimes/verification-runs.ts';
import type { SystemIds } from '../system-context.ts';
import { changeByClock, type JobDeps, runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

const NAME = 'verify-runtimes';
const EVERY_MS = 2_000;
const COUNT_MAX = 40;
const AT_ONCE = 4;

type Deps = JobDeps & { readonly ids: SystemIds };
type Work = (deps: Deps, due: DueRuntime, isStopped: () => boolean) => Promise<unknown>;
type Due = DueRuntime & { readonly work: Work };

/** Runs transactions in one organization, as the system. */
const changing =
  (deps: Deps, organizationId: string) =>
  <Result>(work: (change: Change<ClockEvent>) => Promise<Result>): Promise<Result | Refusal> =>
    changeByClock(deps, organizationId, deps.clock(), work) as Promise<Result | Refusal>;

const findAll = async (deps: JobDeps, instances: InstanceDeps): Promise<Due[]> => {
  const now = deps.clock();
  const [falling, scheduled, operated, runs] = await Promise.all([
    findDueRuntimes(deps.identity, 'falls_at', now, COUNT_MAX),
    findDueRuntimes(deps.identity, 'next_verification_at', now, COUNT_MAX),
    findDueRuntimes(deps.identity, 'operate_due_at', now, COUNT_MAX),
    findDueRuns(deps.identity, now, COUNT_MAX),
  ]);
  const decay: Work = (at, { organization_id, id }) =>
    changing(at, organization_id)((change) => decayRuntime(change, organization_id, id, at.clock(), instances.urls));
  const schedule: Work = (at, { organization_id, id }) =>
    changing(at, organization_id)(({ tx }) => scheduleVerification(tx, organization_id, id, at.clock()));
  const operate: Work = (at, { organization_id, id }) =>
    applyOperation(changing(at, organization_id), organization_id, id, at.clock(), instances);
  const verify: Work = (at, { organization_id, id }, isStopped) => {
    const running = { ...instances, clock: at.clock, wait: sleep, random: () => randomHex(16) };
    return takeRun(changing(at, organization_id), organization_id, id, running, isStopped);
  };
  return [
    ...operated.map((each) => ({ ...each, work: operate })),
    ...falling.map((each) => ({ ...each, work: decay })),
    ...scheduled.map((each) => ({ ...each, work: schedule })),
    ...runs.map((each) => ({ ...each, work: verify })),
  ];
};

/** Verifies runtimes on schedule and on request, applies operations at their instances, and stores statuses that decayed. */
export const verifyRuntimes = (instances: InstanceDeps): JobRound => ({
  name: NAME,
  everyMs: EVERY_MS,
  run: async (deps, isStopped) => {
    const due = await runPart(deps, NAME, undefined, () => findAll(deps, instances));
    if (!Array.isArray(due)) return;
    const left = [...due];
    const take = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && !isStopped(); next = left.shift()) {
        const { work, ...each } = next;
        await runPart(deps, NAME, each.organization_id, (ids) => work({ ...deps, ids }, each, isStopped));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
  },
});
