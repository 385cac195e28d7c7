import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Signal of a process that used up its processor time. Nothing else sends it, and it ends a busy process. */
export const OUT_OF_TIME = 'SIGVTALRM';

const LOOK_EVERY_MS = 100;
const HEAP_MB = 16;

/**
 * Ends this process when it has used this much processor time from now on. A thread of its own watches the clock, because the work never
 * yields to the event loop. Time in which other processes have the processor does not count.
 */
export const limitProcessorTime = (processorMs: number): void => {
  const watching = new Worker(fileURLToPath(import.meta.url), {
    workerData: { processorMs, begun: process.cpuUsage() },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // Without the thread, the time of the parent still bounds the work.
  watching.on('error', () => undefined);
  watching.unref();
};

if (!isMainThread) {
  const { processorMs, begun } = workerData as { readonly processorMs: number; readonly begun: NodeJS.CpuUsage };
  setInterval(() => {
    const { user, system } = process.cpuUsage(begun);
    if ((user + system) / 1_000 > processorMs) process.kill(process.pid, OUT_OF_TIME);
  }, LOOK_EVERY_MS);
}
