import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isAlive, type ProcessIdentity, signalProcess } from '@svc/database-server/system/process-identity.ts';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';

/** Addresses of a running service on this machine. */
export type Whereabouts = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly sandboxOrigin: string;
  /** Authenticates reads of what the sandbox receiver got. A secret of the owner of the data folder. */
  readonly sandboxKey: string;
};

/** A service on a data folder, recorded so that one launcher at a time serves it, and a start after a kill knows which processes to end. */
type Run = {
  readonly launcher: ProcessIdentity;
  readonly planes: readonly ProcessIdentity[];
  /** Null until the planes are started. */
  readonly whereabouts: Whereabouts | null;
};

const findFile = (dataDir: string): string => path.join(dataDir, 'launcher.json');
const endWithinMs = 3_000;
/** Poll interval for the succession of a dead launcher. */
const SUCCESSION_LOOK_MS = 10;
const SUCCESSION_MS_MAX = 20_000;

/**
 * Claims the data folder for this process. Returns a fault if another live launcher has it. Planes notice the death of their launcher
 * themselves; a hanging one would keep its port forever and is killed here.
 */
export const claimRun = async (dataDir: string, withinMs = SUCCESSION_MS_MAX): Promise<string | undefined> => {
  const file = findFile(dataDir);
  for (const until = Date.now() + withinMs; Date.now() < until; ) {
    if (placeWhole(file, describeRun(null, []))) return undefined;
    const text = readText(file);
    const run = text === undefined ? undefined : parseRun(text);
    if (run !== undefined && isAlive(run.launcher)) {
      const { launcher, whereabouts } = run;
      const where = whereabouts === null ? `process ${launcher.pid}` : `process ${launcher.pid}, ${whereabouts.controlUrl}`;
      return `The service already runs from ${dataDir} (${where}): use that one, stop it first, or choose another folder with DATA_DIR.`;
    }
    const fault = await endPlanes(run?.planes ?? []);
    if (fault !== undefined) return fault;
    if (text === undefined) continue;
    const rights = takeSuccession(file, run);
    if (rights === undefined) await sleep(SUCCESSION_LOOK_MS);
    else if (succeed(file, text, rights)) return undefined;
  }
  return `Another start has been taking over ${dataDir} for ${withinMs / 1_000} s: wait for it, or remove ${file}.after-* if there is none, and start again.`;
};

/** Adds the running processes to the claim. */
export const writeRun = (dataDir: string, whereabouts: Whereabouts, planes: readonly ProcessIdentity[]): void => {
  const fresh = `${findFile(dataDir)}.${process.pid}`;
  writeFileSync(fresh, describeRun(whereabouts, planes), { mode: 0o600 });
  renameSync(fresh, findFile(dataDir));
};

/** Removes the claim once everything is stopped; another launcher's claim is left alone. */
export const removeRun = (dataDir: string): void => {
  const text = readText(findFile(dataDir));
  if (text !== undefined && parseRun(text)?.launcher.pid === process.pid) rmSync(findFile(dataDir), { force: true });
};

/** Returns the addresses of the service of a data folder; undefined if none runs. */
export const findRunning = (dataDir: string): Whereabouts | undefined => {
  const text = readText(findFile(dataDir));
  const run = text === undefined ? undefined : parseRun(text);
  return run !== undefined && isAlive(run.launcher) ? (run.whereabouts ?? undefined) : undefined;
};

const describeRun = (whereabouts: Whereabouts | null, planes: readonly ProcessIdentity[]): string => {
  const launcher = identifyProcess(process.pid) ?? { pid: process.pid, started: '' };
  return `${JSON.stringify({ launcher, planes, whereabouts } satisfies Run)}\n`;
};

const endPlanes = async (planes: readonly ProcessIdentity[]): Promise<string | undefined> => {
  const left = (): readonly ProcessIdentity[] => planes.filter(isAlive);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const plane of left()) signalProcess(plane, signal);
    for (const until = Date.now() + endWithinMs; left().length > 0 && Date.now() < until; ) await sleep(10);
  }
  if (left().length === 0) return undefined;
  return `Processes of an earlier start do not end: stop them with "kill -9 ${left()
    .map(({ pid }) => pid)
    .join(' ')}" and start again.`;
};

/** Writes a file atomically; false if the name is taken. */
const placeWhole = (file: string, text: string): boolean => {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600 });
  try {
    linkSync(fresh, file);
    return true;
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    return false;
  } finally {
    rmSync(fresh, { force: true });
  }
};

/** Contains the name of the dead launcher, so that a claim of another one is never meant. */
const getSuccession = (file: string, dead: Run | undefined): string =>
  `${file}.after-${dead === undefined ? 'nobody' : `${dead.launcher.pid}-${dead.launcher.started}`}`;

/**
 * Takes the exclusive right to succeed a dead launcher (compare and swap by link): a file of that name can be created once. A holder that
 * died is succeeded in the same way. Returns all rights taken; undefined if a live process has one.
 */
const takeSuccession = (file: string, dead: Run | undefined): readonly string[] | undefined => {
  const taken: string[] = [];
  for (let last = dead; ; ) {
    const right = getSuccession(file, last);
    if (placeWhole(right, describeRun(null, []))) return [...taken, right];
    const text = readText(right);
    const holder = text === undefined ? undefined : parseRun(text);
    if (holder === undefined || isAlive(holder.launcher) || taken.includes(right)) return undefined;
    taken.push(right);
    last = holder;
  }
};

/** Replaces the dead launcher whose claim was read; false if another process had done so before the right was taken. */
const succeed = (file: string, text: string, rights: readonly string[]): boolean => {
  try {
    if (readText(file) !== text) return false;
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, describeRun(null, []), { mode: 0o600 });
    renameSync(fresh, file);
    return true;
  } finally {
    for (const right of rights) rmSync(right, { force: true });
  }
};

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // The second error if the data folder is no folder, which is reported as such.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
};

const parseRun = (text: string): Run | undefined => {
  try {
    const { launcher, planes, whereabouts } = JSON.parse(text) as Partial<Run>;
    return launcher !== undefined && Array.isArray(planes) ? { launcher, planes, whereabouts: whereabouts ?? null } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
