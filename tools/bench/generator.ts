import type { LoadJob } from './job.ts';
import { runJob } from './run-job.ts';

/** Runs as a process of its own, so that the load takes no time from a server's thread: one job at a time, one report each. */
process.on('message', (job: LoadJob) => {
  void runJob(job).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
