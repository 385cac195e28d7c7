import { spawn } from 'node:child_process';
import path from 'node:path';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import { LaunchFault } from '../faults/launch-fault.ts';

/** Settings that the launcher checks itself or makes, with a value that every plane takes. */
const SETTLED: Readonly<Record<string, string | undefined>> = {
  [SETTINGS.databaseUrl]: 'postgres://localhost/postgres',
  [SETTINGS.masterKey]: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64'),
  [SETTINGS.controlPlanePort]: undefined,
  [SETTINGS.gatewayPort]: undefined,
  [SETTINGS.redisUrl]: undefined,
  SVC_SANDBOX_ORIGIN: undefined,
  SVC_LOG_FILE: undefined,
};

const WITHIN_MS = 20_000;

/** What the settings file of a plane says when it is run by itself: a sentence on each line, and exit code 1. */
const ask = async (file: string, env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: WITHIN_MS });
  const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  const said = (await child.stderr.setEncoding('utf8').toArray()).join('').trim();
  const code = await ended;
  if (code === 0) return [];
  if (code === 1 && said !== '') return said.split('\n');
  throw new LaunchFault(`The settings could not be checked (${file} ended with ${code ?? 'a signal'}): start again.`);
};

/** What both planes have against their settings, each fault once. They read them themselves, before anything is made or started. */
export const checkPlaneSettings = async (env: NodeJS.ProcessEnv, projectRoot: string, cache: string): Promise<readonly string[]> => {
  const planes = ['control-plane', 'gateway'].map((folder) => path.join(projectRoot, 'apps', folder, 'src', 'settings.ts'));
  const faults = await Promise.all(planes.map((file) => ask(file, { ...env, ...SETTLED, NODE_COMPILE_CACHE: cache })));
  return [...new Set(faults.flat())];
};
