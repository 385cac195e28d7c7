import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { AMOUNT_RULES, HELD, newGovernedEnvironment, noteAndShip, SMALL } from '@svc/testing/agents/governed-environment.ts';
import { type OwnServer, startOwnServer } from '@svc/testing/database/own-server.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type RestartableGateway, startRestartableGateway } from '@svc/testing/planes/restartable-gateway.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { ask, type ClientResponse, type CrashLoad, isFinal, type LoadSettings, startLoad } from './load.ts';

const KILLS = countRepetitions({ short: 4, long: 20 });
/** Minimum responses of each kind, which shows that the load was mixed. */
const ANSWERS_OF_EACH_MIN = countRepetitions({ short: 2, long: 6 });
const ANSWERS_BEFORE_A_KILL = 40;
/** Long enough that each kill finds calls in progress. */
const DOWNSTREAM_TAKES_MS = 25;
const BACK_WITHIN_MS = 60_000;
/** The job that closes abandoned actions runs every 5 s. */
const CLOSED_WITHIN_MS = 60_000;

const env = {
  SVC_DATABASE_TIMEOUT_MS: '1000',
  GATEWAY_ALLOW_REAL_EGRESS: 'true',
  SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
};

let server: OwnServer;
let downstream: Downstream;
let planes: Planes;
let gateway: RestartableGateway;
let tenant: Tenant;
let client: LoadSettings;

const setUp = async (): Promise<void> => {
  [server, downstream] = await Promise.all([startOwnServer(), startDownstream()]);
  downstream.before(() => sleep(DOWNSTREAM_TAKES_MS));
  [planes, gateway] = await Promise.all([
    startPlanes({ database: server.database, gateways: 0, env }),
    startRestartableGateway(server.database, env),
  ]);
  tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  const rejected = { ...noteAndShip(downstream.url('rejects'))[1], name: 'ship-rejected' };
  const { agent } = await newGovernedEnvironment(tenant, 'ENFORCE', [...noteAndShip(downstream.url('answers')), rejected]);
  await activateRules(tenant, 'amounts', AMOUNT_RULES);
  const agentToken = await mintToken(gateway.url, agent);
  client = { gatewayUrl: gateway.url, controlUrl: planes.controlUrl, agentToken, ownerToken: tenant.token };
};

/** Reads rows as the owner of the database, without row-level security. */
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
  const client = await server.database.client();
  return await client
    .query<Row>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
};

/** Waits for so many more final responses; returns the duration. */
const moreAnswers = async (load: CrashLoad, count: number): Promise<number> => {
  const startedAt = performance.now();
  const finals = () => load.told.filter(isFinal).length;
  const from = finals();
  while (finals() < from + count) {
    if (performance.now() - startedAt > BACK_WITHIN_MS) {
      const last = load.told.slice(-20).map(({ status, code }) => code ?? status);
      throw new Error(`no answers within ${BACK_WITHIN_MS} ms; the last were ${last}; gateway: ${gateway.state().slice(-3000)}`);
    }
    await sleep(10);
  }
  return performance.now() - startedAt;
};

const killGateway = async (): Promise<void> => {
  await gateway.kill();
  await gateway.start();
};
const killServer = async (): Promise<void> => {
  await server.kill();
  await server.start();
};

const SMALL_SHIP = { tool: 'ship', amount: SMALL };
const HELD_SHIP = { tool: 'ship', amount: HELD };
const LEFT_BEHIND = { byKey: 'left-behind-by-key', byApproval: 'left-behind-by-approval' };

/** Kills the gateway while the downstream holds two calls: one with an idempotency key, one with an approval. Returns the approval. */
const killDuringCalls = async (): Promise<string> => {
  downstream.before(() => sleep(60_000, undefined, { ref: false }));
  const held = await ask(client, LEFT_BEHIND.byApproval, HELD_SHIP);
  const { approval_id } = held;
  const approve = `/v1/approvals/${approval_id}/approve`;
  await mustCall(planes.controlUrl, 'POST', approve, { token: tenant.token, body: {} });
  const unanswered = [
    ask(client, LEFT_BEHIND.byKey, SMALL_SHIP, LEFT_BEHIND.byKey),
    ask(client, LEFT_BEHIND.byApproval, { ...HELD_SHIP, approval_id: approval_id ?? '' }),
  ];
  while (!Object.values(LEFT_BEHIND).every((order) => downstream.received.has(order))) await sleep(10);
  await killGateway();
  downstream.before(() => sleep(DOWNSTREAM_TAKES_MS));
  assert.deepEqual(
    (await Promise.all(unanswered)).map(({ status }) => status),
    [null, null],
  );
  return approval_id ?? '';
};

type ActionRow = {
  readonly id: string;
  readonly order: string;
  readonly tool: string;
  readonly decision: string;
  readonly status: string;
  readonly code: string | null;
  readonly events: readonly string[];
};

const ACTIONS = `select a.id, a.parameters ->> 'order' as order, a.tool, a.decision, a.status, a.code,
    array(select e.type from audit_events e where e.organization_id = a.organization_id and e.subject_id = a.id order by e.type) as events
  from actions a`;

const readActions = (): Promise<ActionRow[]> => query<ActionRow>(ACTIONS);

/** Expires the leases of abandoned actions, and waits until the job has closed them. */
const closeLeftBehind = async (): Promise<ActionRow[]> => {
  const left = await query<{ id: string }>(
    `update actions set held_until = now() where held_until > now() and status = 'EXECUTING' returning id`,
  );
  const ids = left.map(({ id }) => id);
  for (const until = Date.now() + CLOSED_WITHIN_MS; Date.now() < until; await sleep(100)) {
    const [open] = await query<{ n: number }>(`select count(*)::int as n from actions where status = 'EXECUTING'`);
    if (open?.n === 0) break;
  }
  return query<ActionRow>(`${ACTIONS} where a.id = any($1)`, [ids]);
};

const describeFew = (items: readonly unknown[]): string => `${items.length}, such as ${JSON.stringify(items.slice(0, 3), null, 1)}`;
const assertNone = (items: readonly unknown[], what: string): void => assert.equal(items.length, 0, `${what}: ${describeFew(items)}`);

describe(`${KILLS} kill -9 of the gateway and of PostgreSQL, alternately, under load`, () => {
  let told: readonly ClientResponse[];
  let actions: Map<string, ActionRow>;
  let closed: readonly ActionRow[];
  let receivedBefore: ReadonlyMap<string, number>;
  let approvalId: string;
  const backAfterMs: number[] = [];
  let load: CrashLoad | undefined;

  before(async () => {
    await setUp();
    load = startLoad(client);
    await moreAnswers(load, ANSWERS_BEFORE_A_KILL);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(Math.random() * 100);
      await (kill % 2 === 0 ? killGateway() : killServer());
      backAfterMs.push(await moreAnswers(load, 1));
      await moreAnswers(load, ANSWERS_BEFORE_A_KILL);
    }
    await load.stop();
    told = load.told;
    approvalId = await killDuringCalls();
    receivedBefore = new Map(downstream.received);
    closed = await closeLeftBehind();
    actions = new Map((await readActions()).map((action) => [action.id, action]));
  });
  after(async () => {
    await load?.stop();
    await Promise.all([gateway?.stop(), planes?.stop()]);
    await Promise.all([server?.remove(), downstream?.close()]);
  });

  test('every answered decision is recorded as answered', (t) => {
    const answered = told.filter(({ action_id }) => action_id !== null);
    const wrong = answered.filter(({ action_id, decision, order, tool }) => {
      const action = actions.get(action_id ?? '');
      return !action || action.decision !== decision || action.order !== order || action.tool !== tool;
    });
    assertNone(wrong, 'answered and not on record like that');
    const count = (status: number | null) => told.filter((one) => one.status === status).length;
    for (const status of [200, 403, 502]) assert.ok(count(status) >= ANSWERS_OF_EACH_MIN, `${count(status)} answers of ${status}`);
    const counts = [200, 403, 502, 503, 504, null].map((status) => `${status ?? 'none'}: ${count(status)}`).join(', ');
    t.diagnostic(`${answered.length} answered decisions; answers ${counts}; back after at most ${Math.round(Math.max(...backAfterMs))} ms`);
  });

  test('nothing is answered as done or failed without that record', () => {
    const settled = told.filter(({ outcome }) => outcome === 'COMPLETED' || outcome === 'FAILED' || outcome === 'BLOCKED');
    assertNone(
      settled.filter(({ action_id, outcome }) => actions.get(action_id ?? '')?.status !== outcome),
      'answered with another outcome than recorded',
    );
  });

  test('nothing reached the service without a record, or more than once', (t) => {
    const byOrder = Map.groupBy(
      [...actions.values()].filter(({ tool }) => tool !== 'note'),
      ({ order }) => order,
    );
    const received = [...receivedBefore];
    assert.ok(received.length > 10 * KILLS, `${received.length} calls`);
    assertNone(
      received.filter(([, times]) => times > 1),
      'executed more than once',
    );
    const ran = (order: string) => byOrder.get(order)?.filter(({ status }) => ['COMPLETED', 'FAILED', 'UNKNOWN'].includes(status)) ?? [];
    assertNone(
      received.filter(([order]) => ran(order).length !== 1),
      'executed without one record of it',
    );
    t.diagnostic(`${received.length} calls at the downstream`);
  });

  test('an action refused because of an outage was not executed', () => {
    const byOrder = Map.groupBy(told, ({ order }) => order);
    const refused = [...byOrder].filter(([, answers]) => answers.every(({ status }) => status === 503)).map(([order]) => order);
    assert.ok(refused.length > 0);
    assertNone(
      refused.filter((order) => receivedBefore.has(order)),
      'refused and executed all the same',
    );
  });

  test('an action left in execution is closed as unknown, recorded once, and never executed again', async (t) => {
    assert.ok(closed.length > 0, 'no kill left anything in execution');
    assertNone(
      closed.filter(({ status, code }) => status !== 'UNKNOWN' || code !== 'EXECUTION_TIMEOUT'),
      'not closed as unknown',
    );
    assertNone(
      closed.filter(({ events }) => events.filter((type) => type === 'action.failed').length !== 1),
      'not told once',
    );
    await sleep(DOWNSTREAM_TAKES_MS);
    assert.deepEqual(new Map(downstream.received), receivedBefore);
    const arrived = closed.filter(({ order }) => receivedBefore.has(order)).length;
    t.diagnostic(`${closed.length} left in execution, of which ${arrived} had reached the downstream`);
  });

  test('every action has its events, each once', () => {
    const DECIDED = { ALLOW: 'action.allowed', BLOCK: 'action.blocked', REQUIRE_APPROVAL: 'action.approval_required' };
    const wrong = [...actions.values()].filter(({ decision, events }) => {
      const first = DECIDED[decision as keyof typeof DECIDED];
      return new Set(events).size !== events.length || !events.includes('action.requested') || !events.includes(first);
    });
    assertNone(wrong, 'without its events');
  });

  test('a retry of what was left in execution, by its key or with its approval, executes nothing', async () => {
    const byKey = await ask(client, LEFT_BEHIND.byKey, SMALL_SHIP, LEFT_BEHIND.byKey);
    assert.deepEqual([byKey.status, byKey.code, byKey.outcome], [504, 'EXECUTION_TIMEOUT', 'UNKNOWN']);
    const byApproval = await ask(client, LEFT_BEHIND.byApproval, { ...HELD_SHIP, approval_id: approvalId });
    assert.deepEqual([byApproval.status, byApproval.code], [403, 'APPROVAL_NOT_GRANTED']);
    assert.deepEqual(
      Object.values(LEFT_BEHIND).map((order) => downstream.received.get(order)),
      [1, 1],
    );
  });
});
