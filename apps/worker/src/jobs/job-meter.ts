import { newCounter } from '@svc/program/metrics/counter.ts';
import { type Metric, newGauge } from '@svc/program/metrics/metric.ts';

/** Counts the rounds of jobs and their failures. */
export type JobMeter = {
  /** Counts a completed round, with or without failures. */
  readonly ended: (job: string, seconds: number) => void;
  /** Counts a part of a round that failed. */
  readonly failed: (job: string) => void;
  readonly metrics: readonly Metric[];
};

/** Creates the metrics of jobs by name. A job that never ran is at 0. */
export const newJobMeter = (jobs: readonly string[]): JobMeter => {
  const runs = newCounter<string>('svc_job_runs_total', 'Rounds of jobs that ended.', 'job', jobs);
  const failures = newCounter<string>('svc_job_failures_total', 'Parts of rounds that broke off.', 'job', jobs);
  const last = new Map(jobs.map((job) => [job, { atSeconds: 0, tookSeconds: 0 }]));
  const readLast = (part: 'atSeconds' | 'tookSeconds') => () => Object.fromEntries([...last].map(([job, run]) => [job, run[part]]));
  return {
    ended: (job, seconds) => {
      runs.count(job);
      last.set(job, { atSeconds: Math.floor(Date.now() / 1000), tookSeconds: seconds });
    },
    failed: failures.count,
    metrics: [
      runs.metric,
      failures.metric,
      newGauge('svc_job_last_run_timestamp_seconds', 'When a round last ended.', 'job', readLast('atSeconds')),
      newGauge('svc_job_last_duration_seconds', 'How long the last round took.', 'job', readLast('tookSeconds')),
    ],
  };
};
