import { type AnyJob, type JobDeps, runJob } from './job.ts';

export type Jobs = {
  /** Starts nothing more and resolves when running work has ended. */
  readonly stop: () => Promise<void>;
};

/** Work on a timer. It reports its own failures and never rejects. */
export type JobRound = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (deps: JobDeps, isStopped: () => boolean) => Promise<void>;
};

/** Ends a long round when the next one is due. */
const newRound = (job: AnyJob): JobRound => ({
  name: job.name,
  everyMs: job.everyMs,
  run: (deps, isStopped) => {
    const began = performance.now();
    return runJob(deps, job, isStopped, () => performance.now() - began > job.everyMs);
  },
});

const timed = async (deps: JobDeps, round: JobRound, isStopped: () => boolean): Promise<void> => {
  const began = performance.now();
  await round.run(deps, isStopped);
  deps.meter?.ended(round.name, (performance.now() - began) / 1000);
};

/** Measures the clock right before: what a job ends or deletes at a wrong time is lost. */
const unlessUnsure = async (deps: JobDeps, round: JobRound, isStopped: () => boolean): Promise<void> => {
  const isSure = (await deps.isClockSure?.()) ?? true;
  if (isSure && !isStopped()) await timed(deps, round, isStopped);
};

/** Runs each job at its interval until stopped, never two rounds of one job at the same time. */
export const startJobs = (deps: JobDeps, jobs: readonly AnyJob[], others: readonly JobRound[] = []): Jobs => {
  let stopped = false;
  const timers = new Map<JobRound, NodeJS.Timeout>();
  const running = new Map<JobRound, Promise<void>>();
  const begin = (round: JobRound): void => {
    const under = unlessUnsure(deps, round, () => stopped).finally(() => {
      running.delete(round);
      if (!stopped) schedule(round);
    });
    running.set(round, under);
  };
  const schedule = (round: JobRound): void => {
    timers.set(round, setTimeout(() => begin(round), round.everyMs).unref());
  };
  for (const round of [...jobs.map(newRound), ...others]) schedule(round);
  return {
    stop: async () => {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
};
