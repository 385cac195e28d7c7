import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export type StartedProgram = { readonly child: ChildProcess; readonly output: () => string; readonly errors: () => string };

/** Starts a program and does not wait for its ready line. */
export const startProgram = (program: string, environment: Readonly<Record<string, string>>): StartedProgram => {
  const child = spawn(process.execPath, [path.join(root, `apps/${program}/src/main.ts`)], {
    env: { PATH: process.env.PATH ?? '', HOME: '/tmp', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  return { child, output: () => output.join(''), errors: () => errors.join('') };
};

export const getEnded = (child: ChildProcess): Promise<unknown> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve));
