import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let worker: RunningProcess;
let database: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
  worker = await startWorker(planes.database, {});
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await worker.stop();
  await planes.stop();
});

const REFUSALS = countRepetitions({ short: 1_000, long: 100_000 });
const AGENTS = countRepetitions({ short: 30, long: 1_000 });
const REFUSALS_EACH = countRepetitions({ short: 10, long: 100 });
const IN_FLIGHT = 32;
const RULES_OPEN_PER_HOUR = 20;

/** Runs numbered work, some at once. */
const runAll = async (count: number, work: (n: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await work(n);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, run));
};

const countRows = async (text: string, values: readonly unknown[]): Promise<number> =>
  Number((await database.query<{ count: string }>(`select count(*) from ${text}`, [...values])).rows[0]?.count);

test('a storm of refusals of one agent and of many is one risk event and one incident each, within the bounds, and holds up no other tenant', async () => {
  const never = [{ id: 'never', effect: 'BLOCK', reason: 'Never.' }];
  const [storm, other] = [await newGoverned(planes, { rules: never }), await newGoverned(planes)];
  const { tenant, owner, agent } = storm;
  const { organization_id, environment_id } = tenant;
  await owner('PUT', `/v1/environments/${environment_id}/risk-settings`, { thresholds: { elevated: 20, high: 30 }, reason: 'test' });
  const rule = {
    environment_id,
    severity: 'LOW',
    reason: 'test',
    name: 'Refusals',
    condition: 'REFUSALS',
    count: 5,
    within_seconds: 3_600,
  };
  assert.equal((await owner('POST', '/v1/incident-rules', rule)).status, 201);
  const tokens = await Promise.all(planes.gatewayUrls.map((url) => mintToken(url, agent)));
  const refuse = async (token: string, gateway: number): Promise<void> => {
    const { status, json, text } = await storm.act({}, { gateway, token });
    assert.deepEqual([status, json.error?.code], [403, 'ACTION_BLOCKED'], text);
  };
  await runAll(REFUSALS, (n) => refuse(tokens[n % 2] ?? '', n % 2));
  const openEvents = async (id: string) => (await owner('GET', `/v1/risk-events?status=OPEN&agent_id=${id}`)).json as { signal: string }[];
  const readIncidents = async () => (await owner('GET', '/v1/incidents?limit=100')).json as { matches: number; rule_id: string }[];
  await waitUntil('the incident counts', async () => (await readIncidents()).length > 0);
  const bySignal = Object.groupBy(await openEvents(agent.id), ({ signal }) => signal);
  assert.equal(bySignal.repeated_refusals?.length, 1);
  assert.equal((await readIncidents()).length, 1);

  const others: { readonly id: string; readonly token: string }[] = [];
  await runAll(AGENTS, async (n) => {
    const made = await newAgent(tenant, { capabilities: ['pay'], name: `storm-${n}` });
    assert.equal((await owner('POST', `/v1/tools/${storm.tool.id}/agents`, { agent_id: made.id })).status, 201);
    others.push({ id: made.id, token: await mintToken(planes.gatewayUrl, made) });
  });
  const storming = runAll(AGENTS * REFUSALS_EACH, (n) => refuse(others[n % AGENTS]?.token ?? '', n % 2));
  // Another tenant's event reaches the feed while the storm goes on.
  const began = performance.now();
  const seen = await other.act({});
  await waitUntil('the history of the other tenant is folded', async () => {
    const { rows } = await database.query('select from agent_conduct where agent_id = $1', [other.agent.id]);
    return rows.length === 1;
  });
  const delay = performance.now() - began;
  assert.equal(seen.status, 200, seen.text);
  await storming;
  const decided = REFUSALS + AGENTS * REFUSALS_EACH;
  await waitUntil('the storm is folded', async () => {
    const folded = await countRows('agent_conduct where organization_id = $1', [organization_id]);
    return folded === AGENTS + 1;
  });
  assert.equal(await countRows("actions where organization_id = $1 and status = 'BLOCKED'", [organization_id]), decided);
  const events = await countRows('risk_events where organization_id = $1', [organization_id]);
  assert.ok(events <= RISK_LIMITS.newEventsPerHourMax + 1, `${events} risk events`);
  const told = await countRows("audit_events where organization_id = $1 and type = 'risk.event_created'", [organization_id]);
  assert.ok(told <= RISK_LIMITS.newEventsPerHourMax + 1, `${told} events`);
  const incidents = await readIncidents();
  assert.ok(incidents.length <= RULES_OPEN_PER_HOUR + 1, `${incidents.length} incidents`);
  assert.equal(incidents.filter(({ rule_id }) => rule_id === 'too_many').length, AGENTS >= RULES_OPEN_PER_HOUR ? 1 : 0);
  console.log(
    `${decided} refusals: ${events} risk events, ${incidents.length} incidents; another tenant was folded after ${Math.round(delay)} ms`,
  );
});
