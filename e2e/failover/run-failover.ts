import { setTimeout as sleep } from 'node:timers/promises';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, newGovernedEnvironment, noteAndShip, SMALL } from '@svc/testing/agents/governed-environment.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type PatroniCluster, type ServerFailure, startPatroniCluster } from '@svc/testing/database/patroni-cluster.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@svc/testing/peers/webhook-receiver.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { ask, type ClientResponse, type CrashLoad, isFinal, type LoadSettings, startLoad } from '../crash/load.ts';
import type { FailoverEvidence } from './judge.ts';

const ENV = { SVC_DATABASE_TIMEOUT_MS: '2000', GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
const SUBSCRIBED = ['action.blocked', 'action.approval_required', 'action.completed'];
const DOWNSTREAM_TAKES_MS = 25;
const ANSWERS_BEFORE_A_KILL = 100;
const BACK_WITHIN_MS = 120_000;
const DELIVERED_WITHIN_MS = 480_000;

export type Kill = { readonly failure: ServerFailure; readonly backAfterMs: number };

type Scene = {
  readonly cluster: PatroniCluster;
  readonly database: FreshDatabase;
  readonly planes: Planes;
  readonly downstream: Downstream;
  readonly receiver: WebhookReceiver;
  readonly client: LoadSettings;
  /** Answers to requests of this suite itself, which are judged like those of the load. */
  readonly probes: ClientResponse[];
  readonly stop: () => Promise<void>;
};

/** Everything that was opened so far, closed in reverse order. */
type Opened = { readonly name: string; readonly close: () => Promise<unknown> }[];

const closeAll = async (opened: Opened): Promise<void> => {
  for (const { name, close } of opened.toReversed())
    await close().catch((error: unknown) => console.error(`${name} was not closed: ${String(error)}`));
};

const openScene = async (opened: Opened): Promise<Scene> => {
  const cluster = await startPatroniCluster();
  opened.push({ name: 'cluster', close: cluster.remove });
  const { database } = cluster;
  const [downstream, receiver] = await Promise.all([startDownstream(), startWebhookReceiver()]);
  opened.push({ name: 'downstream', close: downstream.close }, { name: 'receiver', close: receiver.close });
  downstream.before(() => sleep(DOWNSTREAM_TAKES_MS));
  const planes = await startPlanes({ database, env: ENV });
  opened.push({ name: 'planes', close: planes.stop });
  const worker = await startWorker(database, ENV);
  opened.push({ name: 'worker', close: worker.stop });
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  const rejected = { ...noteAndShip(downstream.url('rejects'))[1], name: 'ship-rejected' };
  const { agent } = await newGovernedEnvironment(tenant, 'ENFORCE', [...noteAndShip(downstream.url('answers')), rejected]);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  const body = { name: 'Receiver', url: receiver.url('takes', 'failover'), event_types: SUBSCRIBED };
  await mustCall(planes.controlUrl, 'POST', '/v1/webhooks', { token: tenant.token, body });
  const agentToken = await mintToken(planes.gatewayUrl, agent);
  const client = { gatewayUrl: planes.gatewayUrl, controlUrl: planes.controlUrl, agentToken, ownerToken: tenant.token };
  return { cluster, database, planes, downstream, receiver, client, probes: [], stop: () => closeAll(opened) };
};

const waitForAnswers = async (load: CrashLoad, count: number): Promise<void> => {
  const countFinal = (): number => load.told.filter(isFinal).length;
  const from = countFinal();
  for (const until = performance.now() + BACK_WITHIN_MS; countFinal() < from + count; await sleep(20))
    if (performance.now() > until) throw new Error(`fewer than ${count} answers within ${BACK_WITHIN_MS / 1000} s`);
};

/** The time from a kill to the end of the first request that was sent after it and was decided and recorded. */
const measureReturn = async ({ client, probes }: Scene, killedAt: number, kill: number): Promise<number> => {
  for (let tries = 0; performance.now() - killedAt < BACK_WITHIN_MS; tries += 1) {
    const told = await ask(client, `probe-${kill}-${tries}`, { tool: 'note', amount: SMALL });
    probes.push(told);
    if (told.status === 200) return performance.now() - killedAt;
    await sleep(50);
  }
  throw new Error(`no decision within ${BACK_WITHIN_MS / 1000} s of a kill`);
};

/** Shortens the leases of what was in execution, so that the job that closes it does not wait for them. */
const closeLeftBehind = async (database: FreshDatabase): Promise<void> => {
  const owner = await database.client();
  try {
    await owner.query(`update actions set held_until = now() where held_until > now() and status = 'EXECUTING'`);
    for (const until = performance.now() + BACK_WITHIN_MS; performance.now() < until; await sleep(200))
      if ((await owner.query(`select from actions where status = 'EXECUTING'`)).rowCount === 0) return;
  } finally {
    await owner.end();
  }
};

const COLLECT = {
  actions: `select a.id, a.parameters ->> 'order' as "order", a.tool, a.decision, a.status,
      coalesce(a.execution ->> 'reason' like 'The call was not sent%', false) as is_unsent,
      array(select e.type from audit_events e where e.organization_id = a.organization_id and e.subject_id = a.id) as events from actions a`,
  approvals: 'select id, status from approvals',
  events: 'select id from audit_events where type = any ($1)',
};

const collect = async ({ database, downstream, receiver, probes }: Scene, load: CrashLoad): Promise<FailoverEvidence> => {
  const owner = await database.client();
  try {
    const [{ rows: actions }, { rows: approvals }, { rows: events }] = [
      await owner.query(COLLECT.actions),
      await owner.query(COLLECT.approvals),
      await owner.query(COLLECT.events, [SUBSCRIBED]),
    ];
    const delivered = () => new Set(receiver.received.map(({ headers }) => String(headers['svc-event-id'])));
    const eventIds = events.map(({ id }: { readonly id: string }) => id);
    for (const until = performance.now() + DELIVERED_WITHIN_MS; performance.now() < until; await sleep(500))
      if (eventIds.every((id) => delivered().has(id))) break;
    return {
      answers: [...load.told, ...probes],
      granted: load.granted,
      actions,
      approvals,
      eventIds,
      received: downstream.received,
      deliveries: receiver.received,
    };
  } finally {
    await owner.end();
  }
};

/** Kills the primary under load as often as named, machines and processes in turn, and collects what was answered and recorded. */
export const runFailover = async (kills: number, onKill: (kill: Kill) => void): Promise<FailoverEvidence> => {
  const opened: Opened = [];
  let load: CrashLoad | undefined;
  try {
    const scene = await openScene(opened);
    load = startLoad(scene.client);
    for (let kill = 0; kill < kills; kill += 1) {
      await waitForAnswers(load, ANSWERS_BEFORE_A_KILL);
      await sleep(Math.random() * 500);
      const failure: ServerFailure = kill % 2 === 0 ? 'MACHINE' : 'PROCESS';
      const killedAt = performance.now();
      await scene.cluster.killPrimary(failure);
      onKill({ failure, backAfterMs: await measureReturn(scene, killedAt, kill) });
      await scene.cluster.repair();
    }
    await waitForAnswers(load, ANSWERS_BEFORE_A_KILL);
    await load.stop();
    await closeLeftBehind(scene.database);
    return await collect(scene, load);
  } finally {
    await load?.stop();
    await closeAll(opened);
  }
};
