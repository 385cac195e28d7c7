import { closeStuckActions } from './close-stuck-actions.ts';
import { deleteAgentSessions } from './delete-agent-sessions.ts';
import { expireApprovals } from './expire-approvals.ts';
import { forgetIdempotencyKeys } from './forget-idempotency-keys.ts';
import { type Job, type JobDeps, runJob } from './job.ts';

export type Jobs = {
  /** Starts nothing more and resolves when what is running has ended. */
  readonly stop: () => Promise<void>;
};

const JOBS: readonly Job[] = [expireApprovals, closeStuckActions, deleteAgentSessions, forgetIdempotencyKeys];

/** Runs each job now and then until stopped; never two rounds of the same job at once. */
export const startJobs = (deps: JobDeps, jobs: readonly Job[] = JOBS): Jobs => {
  let stopped = false;
  const timers = new Map<Job, NodeJS.Timeout>();
  const running = new Map<Job, Promise<void>>();
  const begin = (job: Job): void => {
    const round = runJob(deps, job, () => stopped).finally(() => {
      running.delete(job);
      if (!stopped) schedule(job);
    });
    running.set(job, round);
  };
  const schedule = (job: Job): void => {
    timers.set(job, setTimeout(() => begin(job), job.everyMs).unref());
  };
  for (const job of jobs) schedule(job);
  return {
    stop: async () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
};
