import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const KILLS = countRepetitions({ short: 8, long: 20 });
const CONNECTIONS = 8;
const DOWNSTREAM_TAKES_MS = 10;

let planes: Planes;
let downstream: Downstream;
let owner: pg.Client;
let governed: Governed;
let orders = 0;

before(async () => {
  downstream = await startDownstream();
  const env = { SVC_DATABASE_TIMEOUT_MS: '1000', GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
  planes = await startPlanes({ env });
  owner = await planes.database.client();
  const url = downstream.url('answers');
  const execution = { method: 'POST', url };
  governed = await newGoverned(planes, { tool: { kind: 'HTTP', destination_allowlist: [new URL(url).host], execution } });
});
after(async () => {
  await owner?.end();
  await planes?.stop();
  await downstream?.close();
});

type Told = { readonly order: string; readonly answer: TestResponse };

const act = async (tool = governed.tool.name): Promise<Told> => {
  orders += 1;
  const order = `order-${orders}`;
  return { order, answer: await governed.act({ tool, parameters: { order } }) };
};

type Recorded = { readonly order: string; readonly status: string; readonly endings: number };

const readActions = async (): Promise<Map<string, Recorded>> => {
  const { rows } =
    await owner.query<Recorded>(`select a.parameters ->> 'order' as order, a.status, (select count(*)::int from audit_events e
    where e.organization_id = a.organization_id and e.subject_id = a.id and e.type in ('action.completed', 'action.failed')) as endings from actions a`);
  return new Map(rows.map((row) => [row.order, row]));
};

const getStatus = ({ answer }: Told): string => answer.json?.status ?? answer.json?.error?.details?.decision?.status ?? 'none';

/** Terminates database sessions, like a failover, a proxy restart or an operator. */
const killBackends = () =>
  owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');

test(`${KILLS} kills of every database connection during calls: no outcome of an answered call is lost or differs`, async (t) => {
  downstream.before(() => sleep(DOWNSTREAM_TAKES_MS));
  const told: Told[] = [];
  let running = true;
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    while (running) told.push(await act());
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const from = told.length;
    while (told.length < from + CONNECTIONS) await sleep(5);
    await sleep(Math.random() * DOWNSTREAM_TAKES_MS);
    await killBackends();
  }
  running = false;
  await Promise.all(connections);
  const actions = await readActions();
  const called = told.filter(({ order }) => downstream.received.has(order));
  assert.ok(called.length > 3 * KILLS, `${called.length} calls`);
  const lost = called.filter(({ order }) => actions.get(order)?.status !== 'COMPLETED' || actions.get(order)?.endings !== 1);
  assert.equal(
    lost.length,
    0,
    `${lost.length} of ${called.length}: ${JSON.stringify(lost.slice(0, 3).map(({ order }) => actions.get(order)))}`,
  );
  const differing = told.filter((one) => getStatus(one) !== 'none' && getStatus(one) !== actions.get(one.order)?.status);
  assert.deepEqual(differing.map((one) => [getStatus(one), actions.get(one.order)]).slice(0, 3), []);
  // A decision whose record was interrupted during its commit was refused; it does not stay in execution either.
  const open = async () => [...(await readActions()).values()].filter(({ status }) => status === 'EXECUTING');
  for (const until = Date.now() + 60_000; (await open()).length > 0 && Date.now() < until; ) await sleep(50);
  assert.deepEqual(await open(), []);
  const unsent = [...(await readActions()).values()].filter(({ status }) => status === 'FAILED');
  assert.deepEqual(
    unsent.filter(({ order }) => downstream.received.has(order)),
    [],
  );
  t.diagnostic(`${unsent.length} decisions were on record and refused`);
  t.diagnostic(`${called.length} calls, ${told.length - called.length} refused before`);
});

test(`${KILLS} cuts of every connection to the service during calls: a response belongs to its own call, no call is made twice, and all are recorded`, async (t) => {
  const { token, environment_id, controlUrl } = governed.tenant;
  const url = downstream.url('echoes');
  const declared = { name: 'echo', kind: 'HTTP', destination_allowlist: [new URL(url).host], execution: { method: 'POST', url } };
  const body = { ...declared, environment_id, required_capability: 'pay' };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/tools', { token, body });
  await newControlClient(controlUrl, token).authorizeAgentForTool({ params: { toolId: id }, body: { agent_id: governed.agent.id } });
  downstream.before(() => sleep(DOWNSTREAM_TAKES_MS));
  const told: Told[] = [];
  let running = true;
  const from = downstream.cut();
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    while (running) told.push(await act('echo'));
  });
  for (let cut = 0; cut < KILLS; cut += 1) {
    const before = told.length;
    while (told.length < before + 3 * CONNECTIONS) await sleep(5);
    await sleep(Math.random() * DOWNSTREAM_TAKES_MS);
    downstream.cut();
  }
  running = false;
  await Promise.all(connections);
  const opened = downstream.cut() - from;
  const actions = await readActions();
  const resultOf = ({ answer }: Told) => answer.json?.execution?.result?.order;
  assert.deepEqual(
    told.filter((one) => getStatus(one) === 'COMPLETED' && resultOf(one) !== one.order).map((one) => [one.order, resultOf(one)]),
    [],
  );
  // FAILED is reported for a call that was never sent: a connection that was cut while it was being opened.
  const failed = told.filter((one) => getStatus(one) === 'FAILED').map(({ order }) => order);
  assert.deepEqual(
    failed.filter((order) => downstream.received.has(order)),
    [],
  );
  assert.deepEqual([...new Set(told.map(getStatus))].filter((status) => status !== 'FAILED').sort(), ['COMPLETED', 'UNKNOWN']);
  assert.deepEqual(
    told.filter((one) => getStatus(one) !== actions.get(one.order)?.status || actions.get(one.order)?.endings !== 1).slice(0, 3),
    [],
  );
  assert.deepEqual(
    told.filter(({ order }) => (downstream.received.get(order) ?? 0) > 1).map(({ order }) => order),
    [],
  );
  assert.ok(opened < told.length, `${opened} connections for ${told.length} calls`);
  t.diagnostic(`${told.length} calls over ${opened} connections, ${told.filter((one) => getStatus(one) === 'UNKNOWN').length} unknown`);
});

/** Starts a call; returns when the downstream has received it; `go` lets the downstream respond. */
const beginCall = async () => {
  const gate = Promise.withResolvers<void>();
  downstream.before(() => gate.promise);
  const asked = act();
  const order = `order-${orders}`;
  while (!downstream.received.has(order)) await sleep(5);
  return { asked, order, go: gate.resolve };
};

test('a response waits until its outcome is recorded while nothing can be written, and matches the record', async () => {
  const { asked, order, go } = await beginCall();
  await owner.query('begin; lock table actions in access exclusive mode');
  go();
  const early = await Promise.race([asked, sleep(2_500, 'waits' as const)]);
  await owner.query('rollback');
  assert.equal(early, 'waits');
  const told = await asked;
  assert.equal(getStatus(told), 'COMPLETED', told.answer.text);
  assert.deepEqual((await readActions()).get(order), { order, status: 'COMPLETED', endings: 1 });
});

test('a call whose action was closed meanwhile is answered as closed', async () => {
  const { asked, order, go } = await beginCall();
  const { rows } = await owner.query<{ leased: boolean }>(
    "select held_until between now() + interval '20 seconds' and now() + interval '60 seconds' as leased from actions where parameters ->> 'order' = $1",
    [order],
  );
  assert.deepEqual(rows, [{ leased: true }]);
  await owner.query(`update actions set held_until = now() where parameters ->> 'order' = $1`, [order]);
  while ((await readActions()).get(order)?.status !== 'UNKNOWN') await sleep(100);
  go();
  const told = await asked;
  assert.deepEqual([told.answer.status, told.answer.json.error.code, getStatus(told)], [504, 'EXECUTION_TIMEOUT', 'UNKNOWN']);
  assert.deepEqual((await readActions()).get(order), { order, status: 'UNKNOWN', endings: 1 });
});
