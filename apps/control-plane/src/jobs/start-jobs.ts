import { closeStuckActions } from './close-stuck-actions.ts';
import { deleteAgentSessions } from './delete-agent-sessions.ts';
import { deleteCounterUses } from './delete-counter-uses.ts';
import { deleteOrganizations } from './delete-organizations.ts';
import { escalateApprovals } from './escalate-approvals.ts';
import { expireAgents } from './expire-agents.ts';
import { expireApprovals } from './expire-approvals.ts';
import { expireDelegations } from './expire-delegations.ts';
import { forgetIdempotencyKeys } from './forget-idempotency-keys.ts';
import { type AnyJob, type JobDeps, runJob } from './job.ts';
import { tellLogAlarmsJob } from './tell-log-alarms.ts';

export type Jobs = {
  /** Starts nothing more and resolves when what is running has ended. */
  readonly stop: () => Promise<void>;
};

export const JOBS: readonly AnyJob[] = [
  expireAgents,
  expireApprovals,
  escalateApprovals,
  expireDelegations,
  closeStuckActions,
  deleteAgentSessions,
  forgetIdempotencyKeys,
  deleteCounterUses,
  deleteOrganizations,
  tellLogAlarmsJob,
];

/** Anything that a clock starts. It tells what breaks by itself and never rejects. */
export type Round = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (deps: JobDeps, isStopped: () => boolean) => Promise<void>;
};

/** One that has much to do lasts no longer than the next one would be waited for. */
const roundOf = (job: AnyJob): Round => ({
  name: job.name,
  everyMs: job.everyMs,
  run: (deps, isStopped) => {
    const began = performance.now();
    return runJob(deps, job, isStopped, () => performance.now() - began > job.everyMs);
  },
});

const timed = async (deps: JobDeps, round: Round, isStopped: () => boolean): Promise<void> => {
  const began = performance.now();
  await round.run(deps, isStopped);
  deps.meter?.ended(round.name, (performance.now() - began) / 1000);
};

/** The clock is measured right before: what a job ends or deletes by a wrong time does not come back. */
const unlessUnsure = async (deps: JobDeps, round: Round, isStopped: () => boolean): Promise<void> => {
  const isSure = (await deps.isClockSure?.()) ?? true;
  if (isSure && !isStopped()) await timed(deps, round, isStopped);
};

/** Runs each job now and then until stopped; never two rounds of the same job at once. */
export const startJobs = (deps: JobDeps, jobs: readonly AnyJob[] = JOBS, others: readonly Round[] = []): Jobs => {
  let stopped = false;
  const timers = new Map<Round, NodeJS.Timeout>();
  const running = new Map<Round, Promise<void>>();
  const begin = (round: Round): void => {
    const under = unlessUnsure(deps, round, () => stopped).finally(() => {
      running.delete(round);
      if (!stopped) schedule(round);
    });
    running.set(round, under);
  };
  const schedule = (round: Round): void => {
    timers.set(round, setTimeout(() => begin(round), round.everyMs).unref());
  };
  for (const round of [...jobs.map(roundOf), ...others]) schedule(round);
  return {
    stop: async () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
};
