import { relative } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { Durations } from './plan-tests.ts';

export type Order = {
  readonly root: string;
  /** Started in this order, as the runner's own command line would not. */
  readonly files: readonly string[];
  readonly globalSetup: string;
  readonly concurrency: number;
  /** A test that hangs is a failure that says so, not a run without an end. */
  readonly timeoutMs: number;
};

/** Runs test files, a process for each, and prints what they say. Answers whether all passed and the seconds that each took. */
export const runInOrder = async (order: Order, stop: AbortSignal): Promise<{ readonly passed: boolean; readonly durations: Durations }> => {
  const durations: Record<string, number> = {};
  const options: RunOptions & { globalSetupPath: string } = {
    files: [...order.files],
    concurrency: order.concurrency,
    timeout: order.timeoutMs,
    globalSetupPath: order.globalSetup,
    signal: stop,
  };
  const events = run(options);
  let passed = true;
  const note = ({ nesting, file, details }: { nesting: number; file?: string | undefined; details: { duration_ms: number } }): void => {
    if (nesting !== 0 || file === undefined) return;
    const path = relative(order.root, file);
    durations[path] = (durations[path] ?? 0) + details.duration_ms / 1000;
  };
  events.on('test:pass', note);
  events.on('test:fail', (data) => {
    note(data);
    if (data.todo === undefined || data.todo === false) passed = false;
  });
  const printed = events.compose(new spec());
  await new Promise<void>((resolve, reject) => {
    printed.once('error', reject).once('end', resolve).pipe(process.stdout);
  });
  return { passed, durations };
};
