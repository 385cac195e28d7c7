import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import type { CleanupSteps } from '../service.ts';

/**
 * npm run bench -- start [--from-empty]
 *
 * Measures how long `npm start` takes until both planes are ready, on an existing data folder, with nothing to install or to build; with
 * --from-empty also from a copy of the latest commit with nothing installed, built or created. Exits with 1 if one takes longer than
 * permitted.
 */
const READY_MS_MAX = 4_000;
const FROM_EMPTY_MS_MAX = 40_000;
const GIVE_UP_MS = 300_000;

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const options = process.argv.slice(2);
endOnOtherWords(
  `Measures how long npm start takes until both planes are ready:

    npm run bench -- start                on a data folder that is there
    npm run bench -- start --from-empty   also with nothing installed, built or made`,
  /^--from-empty$/,
);

/** Returns the milliseconds from the command to its ready message; then it is stopped. */
const start = async (folder: string, dataDir: string): Promise<number> => {
  const startedAt = performance.now();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, CONTROL_PLANE_PORT: '0', GATEWAY_PORT: '0' };
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  let output = '';
  const ready = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready within ${GIVE_UP_MS / 1000} s:\n${output}`)), GIVE_UP_MS);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!output.includes('Ready after')) return;
      clearTimeout(timer);
      resolve(performance.now() - startedAt);
    });
    void gone.then(() => reject(new Error(`ended:\n${output}`)));
  });
  try {
    return await ready;
  } finally {
    process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
    await gone;
  }
};

const printDuration = (what: string, ms: number, msMax: number): void => {
  console.log(`${ms <= msMax ? 'in time' : 'LATE   '}  ${what}: ${(ms / 1000).toFixed(1)} s (at most ${msMax / 1000} s)`);
  if (ms > msMax) process.exitCode = 1;
};

/** Copies the latest commit only into a folder of its own. */
const emptyCopy = (folder: string): string => {
  const copy = path.join(folder, 'copy');
  mkdirSync(copy);
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', copy], { input: archive });
  return copy;
};

const undo: CleanupSteps = [];
try {
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.cache', 'bench-start-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = path.join(folder, 'data');
  await start(root, dataDir);
  printDuration('a start that needs nothing', await start(root, dataDir), READY_MS_MAX);
  if (options.length > 0) {
    const copy = emptyCopy(folder);
    printDuration('from an empty folder', await start(copy, path.join(folder, 'data-of-copy')), FROM_EMPTY_MS_MAX);
  }
} finally {
  for (const each of undo.toReversed()) await each();
}
