import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Memory options of the launcher's planes. */
const HEAP = [
  '--max-semi-space-size=10',
  '--max-old-space-size=512',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
  '--no-maglev',
  '--no-parallel-scavenge',
  '--v8-pool-size=2',
];
const ALLOCATION = { MALLOC_ARENA_MAX: '2' };

/** Folder of the bundled programs, set by the run; without it they run from their sources, which is slower. */
export const BUNDLES = 'TEST_BUNDLES';

const root = path.resolve(import.meta.dirname, '../../../..');
const readyWithinMs = 150_000;
const stopWithinMs = 15_000;
/** A test that asserts the absence of a text must search the whole log; only a process that writes endlessly loses its oldest output. */
const KEPT_CHARACTERS_MAX = 100_000_000;
const TOLD_CHARACTERS_MAX = 100_000;

/** A plane that reported that it is ready. */
export type RunningProcess = {
  readonly child: ChildProcess;
  readonly url: string;
  /** Its whole ready line. */
  readonly announced: Readonly<Record<string, unknown>>;
  /** Returns its standard error so far. */
  readonly errors: () => string;
  /** Stops it and waits; a killed process is fine. */
  readonly stop: () => Promise<void>;
};

/** Only what a program needs to run; no setting of the person's own shell reaches a plane. */
const bareEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '/',
  NODE_COMPILE_CACHE: path.join(root, '.cache', 'node'),
});

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  child.kill('SIGTERM');
  // A stopped process receives only this signal.
  child.kill('SIGCONT');
  await gone;
  clearTimeout(timer);
};

/** The test process may exit without waiting for the child, which detects the closed channel and exits too. */
const letGo = (child: ChildProcess): void => {
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref?: () => void } | null)?.unref?.();
};

const SOURCE = /^apps\/([\w-]+)\/src\/main\.ts$/;

const getFile = (source: string): string => {
  const [program, bundles] = [SOURCE.exec(source)?.[1], process.env[BUNDLES]];
  return program === undefined || bundles === undefined ? path.join(root, source) : path.join(bundles, `${program}.mjs`);
};

/** Runs one program of the repository and waits for its `{"ready":true,...}` line. */
export const startProcess = async (file: string, environment: Readonly<Record<string, string>>): Promise<RunningProcess> => {
  const child = spawn(process.execPath, [...HEAP, getFile(file)], {
    env: { ...ALLOCATION, ...bareEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const written: string[] = [];
  let characters = 0;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written.push(text);
    characters += text.length;
    while (characters > KEPT_CHARACTERS_MAX) characters -= written.shift()?.length ?? 0;
  });
  const errors = (): string => written.join('');
  const announced = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${file} ${why}:\n${errors().slice(-TOLD_CHARACTERS_MAX)}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`was not ready within ${readyWithinMs / 1000} s`);
    }, readyWithinMs);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal} before it was ready`);
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (!line.startsWith('{"ready":true')) return;
      clearTimeout(timer);
      resolve(JSON.parse(line));
    });
  });
  letGo(child);
  return { child, url: String(announced.url), announced, errors, stop: () => stopChild(child) };
};
