import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import { isLong, sample, TEST_NAMED, TEST_SEED } from '@svc/testing/length/test-length.ts';
import { BREADTHS, BREADTHS_AT_ONCE } from './tests/breadths.ts';
import { canShareProcess } from './tests/can-share-process.ts';
import { endHanging, FILE_SECONDS } from './tests/file-seconds.ts';
import { keepDurations, readDurations } from './tests/kept-durations.ts';
import { getFilesOfRun } from './tests/leave-for-long.ts';
import { MEASURING } from './tests/measuring.ts';
import { getMemoryFolder } from './tests/memory-folder.ts';
import { planTests } from './tests/plan-tests.ts';
import { rerunFailed } from './tests/rerun-failed.ts';
import { type Order, runInOrder } from './tests/run-in-order.ts';
import { getUnitFiles } from './tests/unit-files.ts';

const USAGE = `npm test -- [area | part of a path ...] [--option of the runner of Node ...]

Runs what has to pass before a change, in about twenty minutes on two cores: everything that a change may break, and of what is tried on very
many alike (pages, guides, commands, sweeps, kills, attacks; tools/tests/breadths.ts) some, which ones a printed number says.

With an area it runs what is quick of it, within a minute: ${AREAS.join(', ')}.
With parts of a path it runs all test files of these: npm test -- agents/identity, npm test -- money/ --test-name-pattern=rates.

npm run test:long, with the same words, tries everything as often as is promised, for a release or a night.`;
const root = resolve(import.meta.dirname, '..');
const cache = join(root, '.cache');
const kept = join(cache, 'tests', 'durations.json');
const globalSetup = join(root, 'packages/testing/src/global-setup.ts');
/** In the long run a test tries as much as it promises, for as long as it takes. */
const timeoutMs = isLong ? 7_200_000 : 300_000;
const fileTimeoutMs = timeoutMs + 30_000;
/** The repeated run of a file that failed in parallel with others. */
const alone = process.env.TEST_ALONE === 'true';
/** Most files wait for planes and clocks more than they compute. */
const concurrency = alone ? 1 : Math.max(2, availableParallelism()) + 1;

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));

if (options.some((option) => option === '--help' || option === '-h')) {
  console.log(USAGE);
  process.exit(0);
}

process.env[TEST_SEED] ??= String(randomInt(1_000_000));
const all = globSync('{packages,apps,tools,e2e}/**/*.test.ts', { cwd: root, exclude: (name) => name === 'node_modules' }).sort();
const { files, isNamed, left } = getFilesOfRun(all, words, {
  areas: AREAS,
  isLong,
  breadths: BREADTHS,
  breadthsMax: BREADTHS_AT_ONCE,
  choose: sample,
});
// The repeated run of a file tries the same as the first.
if (!alone) process.env[TEST_NAMED] = String(isNamed);

if (files.length === 0) {
  console.error(words.length === 0 ? 'There are no tests.' : `No test file has ${words.join(' or ')} in its path.`);
  process.exit(1);
}

process.chdir(root);
process.env.NODE_COMPILE_CACHE = join(cache, 'node');
if (!alone && !isLong)
  console.log(`What is tried in part is chosen by ${TEST_SEED}=${process.env[TEST_SEED]}; npm run test:long tries all of it.`);
if (left > 0)
  console.log(
    `${left} of ${all.length} test files are left for it (tools/tests/breadths.ts); npm test -- part-of-a-path runs what it names.`,
  );
/** A setting of the person's own shell, such as a database, must never be what the tests write to. */
for (const setting of Object.values(SETTINGS)) delete process.env[setting];

const memory = getMemoryFolder(root);
if (memory !== undefined) {
  process.env.TEST_DATA_DIR = join(memory, 'database');
  process.env.TMPDIR = mkdtempSync(join(memory, 'run-'));
  // Servers of other accounts pass through it to their files.
  chmodSync(process.env.TMPDIR, 0o711);
  process.on('exit', () => rmSync(process.env.TMPDIR ?? '', { recursive: true, force: true }));
}

const shares = (file: string): boolean => !Object.hasOwn(MEASURING, file) && canShareProcess(readFileSync(join(root, file), 'utf8'));
const durations = readDurations(kept, join(root, 'tools/tests/slow.json'));
/** Unique to this run: another one may run concurrently. */
const together = join(cache, 'tests', `together-${process.pid}`);
process.on('exit', () => rmSync(together, { recursive: true, force: true }));
const ordered = getUnitFiles(root, together, planTests(files, durations, shares));

/** Runs with an option of the runner's command line, which sorts the files by name. */
const runByCommand = (): void => {
  process.env[FILE_SECONDS] = String(fileTimeoutMs / 1_000);
  const fixed = [
    '--test',
    `--import=${endHanging}`,
    `--test-timeout=${timeoutMs}`,
    `--test-concurrency=${concurrency}`,
    `--test-global-setup=${globalSetup}`,
  ];
  const runner = spawn(process.execPath, [...fixed, ...options, ...ordered], { stdio: 'inherit' });
  /** A terminal interrupts the runner itself; a second interrupt would end it before its cleanup. */
  process.on('SIGINT', () => process.stdin.isTTY || runner.kill('SIGINT'));
  process.on('SIGTERM', () => runner.kill('SIGTERM'));
  runner.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 130);
  });
};

/** Runs one file separately: no state of this run is left in it. */
const runAlone = (file: string): Promise<boolean> => {
  const env = { ...process.env, TEST_ALONE: 'true' };
  const again = spawn(process.execPath, [import.meta.filename, file], { stdio: 'inherit', env });
  return new Promise((done) => again.once('exit', (code) => done(code === 0)));
};

const runAll = async (): Promise<void> => {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const order: Order = { root, files: ordered, globalSetup, concurrency, timeoutMs, fileTimeoutMs };
  const outcome = await runInOrder(order, stop.signal);
  keepDurations(kept, outcome.durations);
  const { failed } = outcome;
  const passed = alone || stop.signal.aborted ? failed.length === 0 : await rerunFailed(failed, MEASURING, runAlone);
  process.exitCode = stop.signal.aborted ? 130 : Number(!passed);
};

if (options.length > 0) runByCommand();
else await runAll();
