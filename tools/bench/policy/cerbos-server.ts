import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type { CleanupSteps } from '../service.ts';
import { writeCerbosPolicies } from './cerbos-policies.ts';
import type { BenchRule } from './rules.ts';

/** A configuration of the Cerbos server. */
export type CerbosConfiguration = {
  readonly name: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** The default configuration of Cerbos. Both configurations disable telemetry to the vendor. */
export const DEFAULT_CONFIGURATION: CerbosConfiguration = {
  name: 'cerbos as shipped',
  flags: [],
  environment: { CERBOS_NO_TELEMETRY: '1' },
};

export const TUNED: CerbosConfiguration = {
  name: 'cerbos tuned',
  flags: [
    '--log-level=error',
    '--set=audit.enabled=false',
    '--set=server.metricsEnabled=false',
    '--set=storage.disk.watchForChanges=false',
    '--set=schema.enforcement=none',
  ],
  environment: { CERBOS_NO_TELEMETRY: '1', GOGC: '800', OTEL_SDK_DISABLED: 'true' },
};

export type CerbosServer = { readonly pid: number; readonly port: number };

const START_TIMEOUT_MS = 60_000;

const isServing = async (port: number): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${port}/_cerbos/health`).catch(() => undefined);
  return answer?.ok === true && (await answer.text()).includes('SERVING');
};

/** Starts a Cerbos server with these rules, in a process of its own. Its log goes to a file. */
export const startCerbosServer = async (
  program: string,
  configuration: CerbosConfiguration,
  rules: readonly BenchRule[],
  undo: CleanupSteps,
): Promise<CerbosServer> => {
  const cache = path.resolve(import.meta.dirname, '..', '..', '..', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'cerbos-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const policies = path.join(folder, 'policies');
  writeCerbosPolicies(policies, rules);
  const [http, grpc] = await Promise.all([freePort(), freePort()]);
  const addressFlags = [
    `--set=server.httpListenAddr=127.0.0.1:${http}`,
    `--set=server.grpcListenAddr=127.0.0.1:${grpc}`,
    '--set=storage.driver=disk',
    `--set=storage.disk.directory=${policies}`,
  ];
  const log = openSync(path.join(folder, 'log'), 'a');
  const child = spawn(program, ['server', ...addressFlags, ...configuration.flags], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...configuration.environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = once(child, 'exit');
  undo.push(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  for (const until = Date.now() + START_TIMEOUT_MS; !(await isServing(http)); await sleep(100)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${configuration.name} did not start`);
  }
  return { pid: child.pid ?? 0, port: http };
};
