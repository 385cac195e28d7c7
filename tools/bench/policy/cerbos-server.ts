import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type { CleanupSteps } from '../service.ts';
import { writeCerbosPolicies } from './cerbos-policies.ts';
import type { BenchRule } from './rules.ts';

/** Configurations of Cerbos: as shipped, and with everything off that a decision does not need. */
export type CerbosConfiguration = {
  readonly name: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

/** Its own default configuration. Telemetry to its vendor is off in both. */
export const AS_SHIPPED: CerbosConfiguration = { name: 'cerbos as shipped', flags: [], environment: { CERBOS_NO_TELEMETRY: '1' } };

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

const startWithinMs = 60_000;

const isServing = async (port: number): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${port}/_cerbos/health`).catch(() => undefined);
  return answer?.ok === true && (await answer.text()).includes('SERVING');
};

/** Starts a separate server for these rules; its log goes to a file, like that of the service. */
export const startCerbos = async (
  program: string,
  manner: CerbosConfiguration,
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
  const places = [
    `--set=server.httpListenAddr=127.0.0.1:${http}`,
    `--set=server.grpcListenAddr=127.0.0.1:${grpc}`,
    '--set=storage.driver=disk',
    `--set=storage.disk.directory=${policies}`,
  ];
  const log = openSync(path.join(folder, 'log'), 'a');
  const child = spawn(program, ['server', ...places, ...manner.flags], {
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...manner.environment },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const gone = once(child, 'exit');
  undo.push(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  for (const until = Date.now() + startWithinMs; !(await isServing(http)); await sleep(100)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${manner.name} did not start`);
  }
  return { pid: child.pid ?? 0, port: http };
};
