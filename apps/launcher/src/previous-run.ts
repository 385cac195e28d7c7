import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isAlive, type ProcessIdentity, signalProcess } from '@svc/postgres/server/process-identity.ts';
import { failedWith } from '@svc/postgres/server/system-error.ts';

/** What runs on a data folder, written down so that a start after a kill knows whom to end. */
type Run = { readonly launcher: ProcessIdentity; readonly planes: readonly ProcessIdentity[]; readonly url: string };

const fileIn = (dataDir: string): string => path.join(dataDir, 'launcher.json');
const endWithinMs = 3_000;

/**
 * Planes notice the death of their launcher by themselves; one that hangs would keep its port for ever and is ended here.
 * Answers a fault when the folder's launcher is alive, since two would fight over everything.
 */
export const clearPreviousRun = async (dataDir: string): Promise<string | undefined> => {
  const run = readRun(dataDir);
  if (run === undefined) return undefined;
  if (isAlive(run.launcher)) {
    return `The service already runs from ${dataDir} (process ${run.launcher.pid}, ${run.url}): use that one, stop it first, or choose another folder with DATA_DIR.`;
  }
  const left = (): readonly ProcessIdentity[] => run.planes.filter(isAlive);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const plane of left()) signalProcess(plane, signal);
    for (const until = Date.now() + endWithinMs; left().length > 0 && Date.now() < until; ) await sleep(10);
  }
  if (left().length === 0) return undefined;
  return `Processes of an earlier start do not end: stop them with "kill -9 ${left()
    .map(({ pid }) => pid)
    .join(' ')}" and start again.`;
};

export const writeRun = (dataDir: string, url: string, planes: readonly ProcessIdentity[]): void => {
  const launcher = identifyProcess(process.pid) ?? { pid: process.pid, started: '' };
  const fresh = `${fileIn(dataDir)}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ launcher, planes, url } satisfies Run)}\n`, { mode: 0o600 });
  renameSync(fresh, fileIn(dataDir));
};

/** Once everything is stopped; another start's record is left alone. */
export const removeRun = (dataDir: string): void => {
  if (readRun(dataDir)?.launcher.pid === process.pid) rmSync(fileIn(dataDir), { force: true });
};

const readRun = (dataDir: string): Run | undefined => {
  try {
    const run = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Partial<Run>;
    return run.launcher !== undefined && Array.isArray(run.planes)
      ? { launcher: run.launcher, planes: run.planes, url: run.url ?? '' }
      : undefined;
  } catch (error) {
    if (failedWith(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
};
