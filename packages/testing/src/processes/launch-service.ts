import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');
const readyWithinMs = 150_000;
const stopWithinMs = 20_000;

export type LaunchOptions = {
  readonly dataDir: string;
  /** Settings in addition to the data folder; both ports are free ones unless given. */
  readonly env?: Readonly<Record<string, string>>;
  /** Command instead of the launcher itself, such as `npm start` for a person. */
  readonly command?: readonly [string, ...string[]];
  /** A line that marks completion; defaults to the end of the start. */
  readonly until?: string;
};

/** The whole service as run by `npm start`. */
export type LaunchedService = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly sandboxOrigin: string;
  /** Returns its output so far. */
  readonly said: () => string;
  /** Sends Ctrl-C and waits. Returns the exit code. */
  readonly stop: () => Promise<number | null>;
};

/** Returns the environment of a person's shell, without the tests' settings. */
export const getPersonsEnvironment = (env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: path.join(root, '.cache', 'node'),
  ...env,
});

const findUrl = (said: string, name: string): string => new RegExp(`^ {2}${name}\\s+(http://\\S+)$`, 'm').exec(said)?.[1] ?? '';

const waitFor = (child: ChildProcess, until: string, said: () => string, ended: Promise<unknown>): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The service ${why}:\n${said()}`));
    const timer = setTimeout(() => fail(`did not say "${until}" within ${readyWithinMs / 1000} s`), readyWithinMs);
    const look = (): void => {
      if (!said().includes(until)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on('data', look);
    void ended.then(() => {
      clearTimeout(timer);
      fail('ended');
    });
  });

/** Starts the service; resolves when it is ready. A failed start is thrown with its output. */
export const launchService = async (options: LaunchOptions): Promise<LaunchedService> => {
  const [program, ...args] = options.command ?? [process.execPath, path.join(root, 'apps/launcher/src/main.ts')];
  const env = getPersonsEnvironment({ CONTROL_PLANE_PORT: '0', GATEWAY_PORT: '0', DATA_DIR: options.dataDir, ...options.env });
  // In a process group of its own, which Ctrl-C reaches as a whole.
  const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: string[] = [];
  const said = (): string => chunks.join('');
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = async (): Promise<number | null> => {
    const running = child.exitCode === null && child.signalCode === null;
    if (running) process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    const code = await ended;
    clearTimeout(timer);
    return code;
  };
  try {
    await waitFor(child, options.until ?? 'Stop with Ctrl-C.', said, ended);
  } catch (error) {
    await stop();
    throw error;
  }
  const [controlUrl = '', gatewayUrl = '', sandboxOrigin = ''] = ['Control plane', 'Gateway', 'Sandbox receiver'].map((name) =>
    findUrl(said(), name),
  );
  return { controlUrl, gatewayUrl, sandboxOrigin, said, stop };
};
