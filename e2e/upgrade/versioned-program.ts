import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';

/** Programs start on the same processors as the load. */
const READY_WITHIN_MS = 400_000;
const STOPPED_WITHIN_MS = 120_000;

export type RunningProgram = { readonly url: string; readonly errors: () => string; readonly stop: () => Promise<void> };

const stopChild = async (child: ChildProcess, name: string): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
  child.kill('SIGTERM');
  const [code] = await ended;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
};

/** Starts a program from the folder of a version, and waits until it is ready. */
export const startVersioned = async (folder: string, program: string, env: Readonly<Record<string, string>>): Promise<RunningProgram> => {
  const main = path.join(folder, 'apps/launcher/src/program.ts');
  const child = spawn(process.execPath, [main, program], {
    cwd: folder,
    env: getPersonsEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => written.push(text));
  const errors = (): string => written.join('');
  const announced = await new Promise<{ readonly url?: string }>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
    child.once('close', (code, signal) =>
      reject(new Error(`${program} of ${folder} ended with ${code ?? signal}:\n${errors().slice(-4_000)}`)),
    );
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{"ready":true')) return;
      clearTimeout(timer);
      resolve(JSON.parse(line));
    });
  });
  return { url: announced.url ?? '', errors, stop: () => stopChild(child, program) };
};

/** Runs a command for operators of a version; resolves with what it printed. */
export const runOperation = (folder: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<string> => {
  const main = path.join(folder, 'apps/launcher/src/program.ts');
  const child = spawn(process.execPath, [main, 'ops', ...words], {
    cwd: folder,
    env: getPersonsEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => {
      if (code === 0) resolve(written.join(''));
      else reject(new Error(`ops ${words.join(' ')} ended with ${code}: ${written.join('')}`));
    });
  });
};

/** True if the repository has the commit, which an archive of the project or a shallow copy does not. */
export const hasCommit = (commit: string): boolean => spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`]).status === 0;
