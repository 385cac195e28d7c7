import { relative, resolve } from 'node:path';
import { type RunOptions, run } from 'node:test';
import { spec } from 'node:test/reporters';
import { endHanging, FILE_SECONDS } from './file-seconds.ts';
import type { Durations } from './plan-tests.ts';
import type { FailedFile } from './rerun-failed.ts';

export type Order = {
  readonly root: string;
  /** Started in this order, unlike by the runner's own command line. A top-level suite named like a file is that file. */
  readonly files: readonly string[];
  readonly globalSetup: string;
  readonly concurrency: number;
  /** A hanging test fails with a timeout, instead of a run without an end. */
  readonly timeoutMs: number;
  /** So does a file whose process stays after its tests; somewhat longer, so that a test is reported by its own name. */
  readonly fileTimeoutMs: number;
};

export type TestRunResult = {
  /** The failed files, each with the names of its failures; empty if all passed. */
  readonly failed: readonly FailedFile[];
  /** Seconds that each file took. */
  readonly durations: Durations;
};

type Ended = {
  readonly nesting: number;
  readonly name: string;
  readonly file?: string | undefined;
  readonly details: { readonly duration_ms: number };
};

/** The summary of a file's process, or of the whole run, which has no file. */
type Summary = { readonly file?: string | undefined; readonly entryFile?: string | undefined };

const TEST_FILE = /^[\w./-]+\.test\.m?[jt]s$/;

/** Returns the project file of an ended test. */
const getFile = (root: string, { nesting, name, file }: Omit<Ended, 'details'>): string =>
  relative(root, resolve(root, nesting === 0 && TEST_FILE.test(name) ? name : (file ?? name)));

/** Runs test files, a process for each, and prints their output. */
export const runInOrder = async (order: Order, stop: AbortSignal): Promise<TestRunResult> => {
  const durations: Record<string, number> = {};
  const failed = new Map<string, Set<string>>();
  process.env[FILE_SECONDS] = String(order.fileTimeoutMs / 1_000);
  const options: RunOptions & { globalSetupPath: string } = {
    files: [...order.files],
    concurrency: order.concurrency,
    timeout: order.timeoutMs,
    globalSetupPath: order.globalSetup,
    execArgv: ['--import', endHanging],
    signal: stop,
  };
  const events = run(options);
  const reported = new Set<string>();
  events.on('test:summary', ({ file, entryFile = file }: Summary) => {
    if (entryFile !== undefined) reported.add(relative(order.root, resolve(order.root, entryFile)));
  });
  const note = (ended: Ended): void => {
    if (ended.nesting !== 0 || ended.file === undefined) return;
    const path = getFile(order.root, ended);
    durations[path] = (durations[path] ?? 0) + ended.details.duration_ms / 1000;
  };
  events.on('test:pass', note);
  events.on('test:fail', (data) => {
    note(data);
    if (data.todo !== undefined && data.todo !== false) return;
    const path = getFile(order.root, data);
    const names = failed.get(path) ?? new Set();
    // A process that ends without naming a test is reported by the path of its file.
    failed.set(path, relative(order.root, resolve(order.root, data.name)) === path ? names : names.add(data.name));
  });
  const printed = events.compose(new spec());
  await new Promise<void>((resolve, reject) => {
    printed.once('error', reject).once('end', resolve).pipe(process.stdout, { end: false });
  });
  // Without this a run whose set-up never ends would pass, since Node ends it with a summary of no tests.
  for (const file of stop.aborted ? [] : order.files) {
    const path = relative(order.root, resolve(order.root, file));
    if (reported.has(path) || failed.has(path)) continue;
    console.log(`${path} was not run.`);
    failed.set(path, new Set());
  }
  return { failed: [...failed].map(([file, tests]) => ({ file, tests: [...tests] })), durations };
};
