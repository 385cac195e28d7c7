import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { identifyProcess, type ProcessIdentity } from '@svc/database-server/system/process-identity.ts';
import { DATABASE_EXIT_CODE } from '@svc/program/start/refuse-to-start.ts';
import type { Program } from '../bundle/bundle-folder.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { ALLOCATION, engineOptionsOf } from './engine-options.ts';
import { type LogFile, openLog, touchLog } from './open-log.ts';

export type PlaneOptions = {
  /** As people read it, "control plane". */
  readonly name: string;
  readonly program: Program;
  /** Path of the file that is run. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly readyTimeoutMs?: number;
  /** Told what the plane shows to whoever sits at the terminal, and writes nowhere. */
  readonly onMessage?: (message: unknown) => void;
  /** Called when the plane says that it waits, with the reason. It may take as long as that lasts. */
  readonly onWaiting?: (reason: string) => void;
};

/** The line with which a plane says that it listens, and a worker that it works. */
export type ReadyLine = {
  /** Of a plane. */
  readonly url?: string;
  readonly setup_url?: string | null;
  /** Of a gateway: its public address, for which agents sign. */
  readonly audience?: string;
  /** How long it may take to finish what it does, once it is asked to stop. */
  readonly drain_ms?: number;
  /** What does not keep it from running, and from serving all that is asked. */
  readonly warnings?: readonly string[];
};

export type Plane = {
  readonly name: string;
  readonly identity: ProcessIdentity;
  /** Rejects with a LaunchFault when the plane refuses to start, dies or takes too long. */
  readonly ready: Promise<ReadyLine>;
  /** How it ended, as the end of a sentence, "exit code 1" or "signal SIGKILL". Resolves at its end, whoever asked for it. */
  readonly ended: Promise<string>;
  /** Running requests may finish within the drain time that the plane announced; after it, or at once when `hurry` resolves, the plane is killed. */
  readonly stop: (hurry: Promise<unknown>) => Promise<void>;
};

/** How a plane ended that its database refused. */
export const ENDED_FOR_DATABASE = `exit code ${DATABASE_EXIT_CODE}`;

const readyTimeoutMs = 60_000;
/** For its last words to arrive once it has ended. */
const saidWithinMs = 1_000;
/** The plane itself gives up its draining first. */
const killAfterDrainMs = 2_000;

/**
 * Starts a plane in a session of its own, so that a Ctrl-C reaches only the launcher, which stops all in order.
 * The channel to it closes with the launcher, however that ends, and then the plane stops by itself.
 */
export const startPlane = (options: PlaneOptions): Plane => {
  touchLog(options.logFile);
  const child = spawn(process.execPath, [...engineOptionsOf(options.program), options.main], {
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
  // Whoever waits for it hears of a failure; when nobody does, as in a stop before that, it is none.
  void Promise.allSettled([ready]);
  return { name: options.name, identity, ready, ended, stop };
};

/** Reads on to the end, since a plane would stand still once the pipe were full. */
const readReadyLine = (output: NodeJS.ReadableStream, onWaiting: (reason: string) => void): Promise<ReadyLine> =>
  new Promise((resolve) => {
    createInterface({ input: output }).on('line', (line) => {
      if (line.startsWith('{"waiting":')) onWaiting((JSON.parse(line) as { waiting: string }).waiting);
      if (!line.startsWith('{"ready":true')) return;
      resolve(JSON.parse(line) as ReadyLine);
    });
  });

/** A plane that refuses to start says why in plain sentences; anything else it said is a breakage, and stands in the log. */
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
