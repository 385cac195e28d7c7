import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { identifyProcess, type ProcessIdentity } from '@svc/database-server/system/process-identity.ts';
import { DATABASE_EXIT_CODE } from '@svc/program/start/refuse-to-start.ts';
import type { Program } from '../bundle/bundle-folder.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { ALLOCATION, getEngineOptions } from './engine-options.ts';
import { type LogFile, openLog, touchLog } from './open-log.ts';

export type PlaneOptions = {
  /** Name for people, "control plane". */
  readonly name: string;
  readonly program: Program;
  /** Path of the file to run. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly readyTimeoutMs?: number;
  /** Receives what the plane shows on the terminal and stores nowhere. */
  readonly onMessage?: (message: unknown) => void;
  /** Called when the plane waits, with the reason. It may take as long as that lasts. */
  readonly onWaiting?: (reason: string) => void;
};

/** The line with which a plane reports that it listens, and a worker that it works. */
export type ReadyLine = {
  /** For a plane. */
  readonly url?: string;
  readonly setup_url?: string | null;
  /** For a gateway: its public address, for which agents sign. */
  readonly audience?: string;
  /** Time that it may take to complete running work after a stop signal. */
  readonly drain_ms?: number;
  /** Problems that do not keep it from running and serving everything. */
  readonly warnings?: readonly string[];
};

export type Plane = {
  readonly name: string;
  readonly identity: ProcessIdentity;
  /** Rejects with a LaunchFault if the plane refuses to start, dies or takes too long. */
  readonly ready: Promise<ReadyLine>;
  /** How it ended, as the end of a sentence, "exit code 1" or "signal SIGKILL". Resolves at its end for any reason. */
  readonly ended: Promise<string>;
  /**
   * Stops it. Running requests may complete within the announced drain time; after it, or at once when `hurry` resolves, the plane is
   * killed.
   */
  readonly stop: (hurry: Promise<unknown>) => Promise<void>;
};

/** How a plane ends that its database refused. */
export const ENDED_FOR_DATABASE = `exit code ${DATABASE_EXIT_CODE}`;

const readyTimeoutMs = 60_000;
/** Time for its last output to arrive after its end. */
const saidWithinMs = 1_000;
/** The plane itself aborts its draining first. */
const killAfterDrainMs = 2_000;

/**
 * Starts a plane in a session of its own, so that Ctrl-C reaches only the launcher, which stops everything in order. The channel to it
 * closes when the launcher ends for any reason, and then the plane stops itself.
 */
export const startPlane = (options: PlaneOptions): Plane => {
  touchLog(options.logFile);
  const child = spawn(process.execPath, [...getEngineOptions(options.program), options.main], {
    env: { ...ALLOCATION, ...options.env, SVC_LOG_FILE: options.logFile },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.on('message', (message) => options.onMessage?.(message));
  if (child.stdout === null || child.stderr === null) throw new Error('a pipe asked for is missing');
  const log = openLog(options.logFile, child.stderr);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
    child.once('error', (error) => resolve(error.message));
  });
  let drainMs: number = LIMITS.shutdown.drainMs;
  const stop = async (hurry: Promise<unknown>): Promise<void> => {
    child.kill('SIGTERM');
    await Promise.race([ended, hurry, sleep(drainMs + killAfterDrainMs, undefined, { ref: false })]);
    child.kill('SIGKILL');
    await ended;
  };
  const identity = identifyProcess(child.pid ?? 0) ?? { pid: child.pid ?? 0, started: '' };
  let isWaiting = false;
  const onWaiting = (reason: string): void => {
    isWaiting = true;
    options.onWaiting?.(reason);
  };
  const announced = readReadyLine(child.stdout, onWaiting).then((line) => {
    drainMs = line.drain_ms ?? drainMs;
    return line;
  });
  const ready = Promise.race([announced, ended.then((how) => fail(options, log, how)), tooLate(options, () => isWaiting)]);
  // A failure is handled by the code that awaits it; otherwise, as in an early stop, it is ignored.
  void Promise.allSettled([ready]);
  return { name: options.name, identity, ready, ended, stop };
};

/** Reads to the end, since a plane would block once the pipe were full. */
const readReadyLine = (output: NodeJS.ReadableStream, onWaiting: (reason: string) => void): Promise<ReadyLine> =>
  new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      if (line.startsWith('{"waiting":')) onWaiting((JSON.parse(line) as { waiting: string }).waiting);
      if (!line.startsWith('{"ready":true')) return;
      resolve(JSON.parse(line) as ReadyLine);
    });
  });

/** A plane that refuses to start writes plain sentences; other output is a crash, and is in the log. */
const fail = async (options: PlaneOptions, log: LogFile, how: string): Promise<never> => {
  await Promise.race([log.ended, sleep(saidWithinMs, undefined, { ref: false })]);
  const said = log.said();
  const isRefusal =
    (how === 'exit code 1' || how === ENDED_FOR_DATABASE) && said.length > 0 && said.every((line) => /^[^\s{].*\.$/.test(line));
  if (isRefusal) throw new LaunchFault(...said);
  const why = said.find((line) => /^\w*Error\b/.test(line)) ?? log.breakage();
  throw new LaunchFault(`The ${options.name} did not start (${how}${why === undefined ? '' : `, ${why}`}): its log is ${log.file}.`);
};

const tooLate = async (options: PlaneOptions, isWaiting: () => boolean): Promise<never> => {
  const waitMs = options.readyTimeoutMs ?? readyTimeoutMs;
  await sleep(waitMs, undefined, { ref: false });
  if (isWaiting()) return new Promise(() => {});
  throw new LaunchFault(`The ${options.name} was not ready within ${waitMs / 1000} s: its log is ${options.logFile}.`);
};
