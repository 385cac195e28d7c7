import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@svc/testing/processes/free-port.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const readyWithinMs = 60_000;

/** The whole service as run by `npm start`, on a data folder of its own that is removed at the end. */
export type BenchService = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly controlPid: number;
  readonly gatewayPid: number;
  /** Seals what the gateway records, and reads it for webhooks. */
  readonly workerPid: number;
  /** The first process of the database. */
  readonly postgresPid: number;
  /** Connection of the owner. A secret. */
  readonly databaseUrl: string;
};

/** Cleanup steps, in the order of creation. */
export type CleanupSteps = (() => Promise<void> | void)[];

const RATES = ['LOGIN', 'CONTROL_PLANE', 'GATEWAY_TOKEN', 'GATEWAY_ACTIONS'].map((name) => [`SVC_RATE_${name}_PER_MINUTE`, '1000000']);

/** Settings of a production start, and rate limits that the load does not reach. */
const getEnvironment = (dataDir: string, controlPort: number, gatewayPort: number): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '/',
  DATA_DIR: dataDir,
  CONTROL_PLANE_PORT: String(controlPort),
  GATEWAY_PORT: String(gatewayPort),
  LOG_LEVEL: 'info',
  GATEWAY_ALLOW_REAL_EGRESS: 'true',
  SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  ...Object.fromEntries(RATES),
});

const launch = async (environment: Record<string, string>, undo: CleanupSteps): Promise<void> => {
  const child = spawn(process.execPath, [path.join(root, 'apps/launcher/src/main.ts')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  undo.push(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ready = new Promise<true>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('Ready after') && resolve(true));
  });
  const isReady = await Promise.race([ready, gone.then(() => false), sleep(readyWithinMs, false, { ref: false })]);
  if (!isReady) throw new Error(`The service did not start:\n${output}`);
};

/** Read with the command that a person uses. */
const readOwnerUrl = async (environment: Record<string, string>): Promise<string> => {
  const child = spawn(process.execPath, [path.join(root, 'apps/launcher/src/database-url.ts')], { env: environment, stdio: 'pipe' });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return line;
};

/** `more`: settings in addition to those of every bench. */
export const startService = async (undo: CleanupSteps, more: Readonly<Record<string, string>> = {}): Promise<BenchService> => {
  // On the disk of the project, since a folder in memory would make durable writes look cheaper than they are.
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const dataDir = mkdtempSync(path.join(root, '.cache', 'bench-'));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const [controlPort, gatewayPort] = await Promise.all([freePort(), freePort()]);
  const environment = { ...getEnvironment(dataDir, controlPort, gatewayPort), ...more };
  await launch(environment, undo);
  const { planes } = JSON.parse(readFileSync(path.join(dataDir, 'launcher.json'), 'utf8')) as { planes: { pid: number }[] };
  const [control, gateway, worker] = planes;
  if (control === undefined || gateway === undefined || worker === undefined) throw new Error('the launcher did not write down its planes');
  return {
    controlUrl: `http://127.0.0.1:${controlPort}`,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    controlPid: control.pid,
    gatewayPid: gateway.pid,
    workerPid: worker.pid,
    postgresPid: Number.parseInt(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'latin1'), 10),
    databaseUrl: await readOwnerUrl(environment),
  };
};
