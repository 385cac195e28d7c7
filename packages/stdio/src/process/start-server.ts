import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export type ServerCommand = {
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Limit of the memory that the server allocates, in MiB. Not applied on Windows. */
  readonly memoryMebibytesMax?: number;
  /** `inherit` passes its diagnostics on; `pipe` hands them to the caller. */
  readonly stderr: 'inherit' | 'pipe';
};

export type ServerExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly error?: Error };

/** A process that speaks over its standard input and output. */
export type ServerProcess = {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable | null;
  readonly exited: Promise<ServerExit>;
  /** Closes its input, and ends it with all processes of its group if it does not exit by itself. */
  readonly stop: () => Promise<ServerExit>;
};

/** How long a server may take to exit after its input is closed, and again after SIGTERM. */
const EXIT_MS = 2_000;

/**
 * Runs the command as the leader of a process group, with a watchdog in the group that reads descriptor 3. The other end of the descriptor is in
 * the process that started it: when that process ends, even by SIGKILL, the kernel closes it, and the watchdog ends the group.
 */
const WATCHED = `
( trap '' TERM HUP INT; read -r _ <&3; kill -TERM 0; sleep 2; kill -KILL 0 ) </dev/null >/dev/null 2>&1 &
limit="$1"; shift
if [ "$limit" != 0 ]; then ulimit -d "$limit" || exit 126; fi
exec "$@" 3<&-
`;

const LIFELINE = 3;

const startWatched = ({ program, args, env, cwd, memoryMebibytesMax = 0, stderr }: ServerCommand): ChildProcess =>
  spawn('/bin/sh', ['-c', WATCHED, 'svc', String(memoryMebibytesMax * 1024), program, ...args], {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    detached: true,
    stdio: ['pipe', 'pipe', stderr, 'pipe'],
  });

/** Windows lacks process groups and the shell: there the server ends when its input is closed. */
const startPlain = ({ program, args, env, cwd, stderr }: ServerCommand): ChildProcess =>
  spawn(program, [...args], { env, ...(cwd === undefined ? {} : { cwd }), stdio: ['pipe', 'pipe', stderr], windowsHide: true });

const waitMs = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());

/** Starts a server. It does not outlive the process that started it. */
export const startServer = (command: ServerCommand): ServerProcess => {
  const isWatched = process.platform !== 'win32';
  const child = isWatched ? startWatched(command) : startPlain(command);
  const { pid, stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null) throw new Error('The pipes of the server were not opened.');
  const lifeline = child.stdio[LIFELINE];
  const release = (): void => void (isWatched ? lifeline?.destroy() : child.kill());
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  // A server that exits may leave processes behind, which the watchdog ends.
  exited.then(release, release);
  for (const stream of [stdin, stdout, stderr, lifeline]) stream?.on('error', () => undefined);
  const stop = async (): Promise<ServerExit> => {
    stdin.end();
    const ended = await Promise.race([exited, waitMs(EXIT_MS)]);
    release();
    return ended ?? exited;
  };
  return { pid, stdin, stdout, stderr, exited, stop };
};

/** Exit codes by which the shell reports that a command was not found or cannot be executed. */
export const isNotStarted = ({ code, error }: ServerExit): boolean => error !== undefined || code === 126 || code === 127;
