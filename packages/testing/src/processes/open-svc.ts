import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const buildScript = resolve(import.meta.dirname, '../../../../apps/cli/build/main.ts');
const WITHIN_MS = 30_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export type SvcRun = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every command
  readonly json: any;
};

export type SvcOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Text for standard input, which is never a terminal. */
  readonly input?: string;
};

/** A long-running command. */
export type StartedSvc = {
  /** Waits for a line of its output that matches. */
  readonly line: (wanted: RegExp) => Promise<string>;
  readonly write: (line: string) => void;
  readonly stop: () => Promise<void>;
  readonly said: () => string;
};

/** The published command line, run without a terminal. */
export type Svc = {
  /** Folder of the test, with the configuration of the command line below it. */
  readonly folder: string;
  readonly configFolder: string;
  /** The built program. */
  readonly program: string;
  readonly run: (args: readonly string[], options?: SvcOptions) => Promise<SvcRun>;
  readonly start: (args: readonly string[], options?: SvcOptions) => StartedSvc;
  readonly remove: () => void;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const lineWithin = (text: string, wanted: RegExp): string | undefined => text.split('\n').find((line) => wanted.test(line));

const runProgram = (program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv, input: string): Promise<SvcRun> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { cwd, env, timeout: WITHIN_MS, maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        done({ code, stdout, stderr, json: parsed(stdout) });
      },
    );
    child.stdin?.end(input);
  });

const startProgram = (program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): StartedSvc => {
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<void>((resolveEnd) => child.once('close', () => resolveEnd()));
  return {
    said: () => text,
    write: (line) => void child.stdin.write(`${line}\n`),
    line: (wanted) =>
      new Promise((resolveLine, reject) => {
        const timer = setTimeout(() => reject(new Error(`no line matched ${wanted}:\n${text}`)), WITHIN_MS);
        const look = (): void => {
          const found = lineWithin(text, wanted);
          if (found === undefined) return;
          clearTimeout(timer);
          listeners.delete(look);
          resolveLine(found);
        };
        listeners.add(look);
        look();
      }),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

/** Builds the command line into a folder of its own. `program` runs another build instead, such as an installed package. */
export const openSvc = (env: Readonly<Record<string, string>> = {}, program?: string): Svc => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-'));
  const built = program ?? join(folder, 'program', 'dist', 'svc.mjs');
  if (program === undefined) {
    const { status, stderr } = spawnSync(process.execPath, [buildScript, join(folder, 'program')], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The command line was not built: ${stderr}`);
  }
  const configFolder = join(folder, 'config');
  const environment = (options: SvcOptions) => ({
    PATH: process.env.PATH,
    HOME: folder,
    SVC_CONFIG_DIR: configFolder,
    ...env,
    ...options.env,
  });
  return {
    folder,
    configFolder,
    program: built,
    run: (args, options = {}) => runProgram(built, args, options.cwd ?? folder, environment(options), options.input ?? ''),
    start: (args, options = {}) => startProgram(built, args, options.cwd ?? folder, environment(options)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
