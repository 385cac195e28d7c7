import assert from 'node:assert/strict';
import path from 'node:path';
import { mintToken, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, newGovernedEnvironment, noteAndShip } from '@svc/testing/agents/governed-environment.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { startDownstream } from '@svc/testing/peers/downstream.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { type LoadFailure, startUpgradeLoad, type UpgradeLoad } from './load.ts';
import { newRotation, type Rotation } from './rotation.ts';
import { type RunningProgram, runOperation, startVersioned } from './versioned-program.ts';

const present = path.resolve(import.meta.dirname, '../..');

/** Parts of the run, each with an equal share of the requests. */
const PHASES = ['old programs, old schema', 'old programs, new schema', 'old and new programs', 'new programs'] as const;

type Upgraded = {
  readonly requests: number;
  readonly failures: readonly LoadFailure[];
  readonly migrations: number;
  readonly migrationMs: number;
  /** Findings of the new version about the audit log and the records, and an old worker that did not end well. */
  readonly findings: readonly unknown[];
  /** Actions that are recorded otherwise than once with their events. */
  readonly wrongActions: number;
};

type Planes = { readonly control: RunningProgram; readonly gateways: readonly RunningProgram[] };
type Opened = (() => Promise<unknown>)[];

type Started = { readonly folder: string; readonly env: Readonly<Record<string, string>>; readonly opened: Opened };

const startProgram = async (
  { folder, env, opened }: Started,
  program: string,
  more: Record<string, string> = {},
): Promise<RunningProgram> => {
  const running = await startVersioned(folder, program, { ...env, ...more });
  opened.push(running.stop);
  return running;
};

const startPlanes = async (started: Started): Promise<Planes> => {
  const control = await startProgram(started, 'control-plane', { CONTROL_PLANE_PORT: '0' });
  const gateways = [
    await startProgram(started, 'gateway', { GATEWAY_PORT: '0' }),
    await startProgram(started, 'gateway', { GATEWAY_PORT: '0' }),
  ];
  return { control, gateways };
};

type Rotations = { readonly control: Rotation; readonly gateway: Rotation };

/** Replaces one plane after another: the new one is ready, requests go to it, and then the old one is stopped. */
const replacePlanes = async (old: Planes, next: Planes, { control, gateway }: Rotations, pause: () => Promise<void>): Promise<void> => {
  for (const [index, each] of old.gateways.entries()) {
    gateway.replace(each.url, next.gateways[index]?.url ?? '');
    await each.stop();
    await pause();
  }
  control.replace(old.control.url, next.control.url);
  await old.control.stop();
  await pause();
};

const RATES = ['LOGIN', 'CONTROL_PLANE', 'GATEWAY_TOKEN', 'GATEWAY_ACTIONS'].map((name) => [`SVC_RATE_${name}_PER_MINUTE`, '1000000']);

const environment = async (database: FreshDatabase): Promise<Record<string, string>> => ({
  DATABASE_URL: database.url,
  SVC_MASTER_KEY: TEST_MASTER_KEY,
  SVC_MAIL: 'none',
  SVC_SIGNUP: 'open',
  LOG_LEVEL: 'warn',
  GATEWAY_ALLOW_REAL_EGRESS: 'true',
  SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  SVC_GATEWAY_URL: `http://127.0.0.1:${await freePort()}`,
  ...Object.fromEntries(RATES),
});

const countWrongActions = async (server: ManagedServer, database: FreshDatabase): Promise<number> => {
  const owner = await server.asSuperuser(new URL(database.url).pathname.slice(1));
  try {
    const { rows } = await owner.query<{ wrong: number }>(
      `select count(*)::int as wrong from actions a where (select count(*) from audit_events e
         where e.organization_id = a.organization_id and e.subject_id = a.id and e.type = 'action.requested') <> 1`,
    );
    return rows[0]?.wrong ?? Number.NaN;
  } finally {
    await owner.end();
  }
};

/** Verifies the whole log and every record that it covers; resolves with what does not match. */
const verify = async (controlUrl: string, tenant: Tenant): Promise<readonly unknown[]> => {
  const found: unknown[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const body = { from_sequence: from };
    const { findings, next_sequence } = await mustCall(controlUrl, 'POST', '/v1/audit-events/verify', { token: tenant.token, body });
    found.push(...findings);
    from = next_sequence;
  }
  return found;
};

type Scene = { readonly tenant: Tenant; readonly load: UpgradeLoad; readonly control: Rotation; readonly gateway: Rotation };

const startScene = async (old: Planes, opened: Opened): Promise<Scene> => {
  const downstream = await startDownstream();
  opened.push(downstream.close);
  const tenant = await newTenant({ controlUrl: old.control.url });
  await stepUp(old.control.url, tenant);
  const { agent } = await newGovernedEnvironment(tenant, 'ENFORCE', noteAndShip(downstream.url('answers')));
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  const [control, gateway] = [newRotation([old.control.url]), newRotation(old.gateways.map(({ url }) => url))];
  let agentToken = await mintToken(gateway.next(), agent);
  const audience = await readAudience(gateway.next());
  /** One request, which is answered by the next gateway. */
  const mint = async (gatewayUrl: string): Promise<TestResponse> => {
    const body = { agent_id: agent.id, assertion: signAssertion(agent, audience), sdk: SDK };
    const answer = await call(gatewayUrl, 'POST', '/gateway/v1/token', { body });
    if (answer.status === 200) agentToken = answer.json.data.token;
    return answer;
  };
  const load = startUpgradeLoad({ control, gateway, ownerToken: tenant.token, workspaceId: tenant.workspace_id, mint }, () => agentToken);
  opened.push(load.stop);
  return { tenant, load, control, gateway };
};

/** Upgrades an installation of an older version under load, program by program, after the schema. */
export const runUpgrade = async (oldFolder: string, requests: number, report: (line: string) => void): Promise<Upgraded> => {
  const opened: Opened = [];
  const part = Math.ceil(requests / PHASES.length);
  try {
    const [kind] = SERVER_KINDS;
    assert.ok(kind);
    const server = await kind.start();
    opened.push(server.remove);
    const database = await server.newDatabase();
    const env = await environment(database);
    await runOperation(oldFolder, ['migrate'], env);
    const former = { folder: oldFolder, env, opened };
    const old = await startPlanes(former);
    const oldWorker = await startProgram(former, 'worker');
    const { tenant, load, control, gateway } = await startScene(old, opened);
    const enter = (phase: string): void => {
      load.enter(phase);
      report(`${phase}: ${load.counts().requests} requests so far, ${load.counts().failures.length} failures`);
    };
    enter(PHASES[0]);
    await load.wait(part);
    enter('migration');
    const startedAt = performance.now();
    const printed = await runOperation(present, ['migrate'], env);
    const migrationMs = performance.now() - startedAt;
    enter(PHASES[1]);
    await load.wait(part);
    enter(PHASES[2]);
    const current = { folder: present, env, opened };
    const next = await startPlanes(current);
    gateway.replace(undefined, next.gateways[0]?.url ?? '');
    control.replace(undefined, next.control.url);
    await load.wait(part);
    await replacePlanes(old, next, { control, gateway }, () => load.wait(100));
    // An old worker does not continue the chain of checkpoints of a newer one.
    const [stopped] = await Promise.allSettled([oldWorker.stop()]);
    const faults = stopped.status === 'fulfilled' ? [] : [`${String(stopped.reason)}: ${oldWorker.errors().slice(-1_000)}`];
    await startProgram(current, 'worker');
    enter(PHASES[3]);
    await load.wait(part);
    await load.stop();
    return {
      ...load.counts(),
      migrations: printed.split('\n').filter((line) => /^Applied \d{4}_/.test(line)).length,
      migrationMs,
      findings: [...faults, ...(await verify(next.control.url, tenant))],
      wrongActions: await countWrongActions(server, database),
    };
  } finally {
    for (const close of opened.toReversed()) await close().catch((error: unknown) => console.error(String(error)));
  }
};
