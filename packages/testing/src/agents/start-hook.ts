import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mustCall } from '../people/client.ts';
import type { TestAgent } from './agent.ts';

/** The files of a bundle, and its hook file in a process of its own, as an instance runs it. */
export type RunningHook = {
  /** Calls a hook; returns the message of what it throws, and undefined if it permits. */
  readonly ask: (event: string, argument: object) => Promise<string | undefined>;
  readonly stop: () => Promise<void>;
};

type Owner = { readonly controlUrl: string; readonly token: string };
type File = { readonly path: string; readonly content: string; readonly encoding: 'utf-8' | 'base64' };

/** Calls hooks as they are requested, and reports how each ended. */
const RUNNER = `
const hooks = require(process.argv[2]);
process.on('message', async ({ id, event, argument }) => {
  const [noun, verb] = event.split('.');
  try {
    for (const hook of hooks[noun][verb]) await hook(argument);
    process.send({ id });
  } catch (error) {
    process.send({ id, refused: error.message });
  }
});
process.send({ id: 0 });
`;

const getEnvironment = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Starts the hook file of a managed runtime with the environment of its bundle; `more` replaces parts of it. */
export const startHook = async (
  { controlUrl, token }: Owner,
  runtimeId: string,
  agent: TestAgent,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningHook> => {
  const { files } = (await mustCall(controlUrl, 'GET', `/v1/runtimes/${runtimeId}/bundle`, { token })) as { files: readonly File[] };
  const folder = mkdtempSync(join(tmpdir(), 'hook-'));
  for (const { path, content, encoding } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, encoding);
  }
  // The product installs packages here.
  const packages = join(folder, '.n8n/nodes/node_modules');
  mkdirSync(packages, { recursive: true });
  const archive = files.find(({ path }) => path.endsWith('.tar'))?.path ?? '';
  const { status } = spawnSync('tar', ['-xf', join(folder, archive), '-C', packages]);
  if (status !== 0) throw new Error(`tar ended with ${status}`);
  const [runner, key] = [join(folder, 'runner.cjs'), join(folder, 'agent-key')];
  writeFileSync(runner, RUNNER);
  writeFileSync(key, agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
  const stated = getEnvironment(files.find(({ path }) => path === 'n8n.env')?.content ?? '');
  const env = { PATH: process.env.PATH, N8N_USER_FOLDER: folder, ...stated, SVC_AGENT_KEY_FILE: key, ...more };
  const child = fork(runner, [join(folder, 'hook.cjs')], { env, execArgv: [] });
  const waiting = new Map<number, (refused: string | undefined) => void>();
  let requests = 0;
  const ready = new Promise<void>((resolve, reject) => {
    waiting.set(0, () => resolve());
    child.once('exit', () => reject(new Error('the hook file ended')));
  });
  child.on('message', ({ id, refused }: { id: number; refused?: string }) => {
    waiting.get(id)?.(refused);
    waiting.delete(id);
  });
  await ready;
  return {
    ask: (event, argument) =>
      new Promise((resolve) => {
        requests += 1;
        waiting.set(requests, resolve);
        child.send({ id: requests, event, argument });
      }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
};
