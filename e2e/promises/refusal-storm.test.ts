import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { sendActions } from '@svc/testing/agents/send-actions.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { countRepetitions, longOnly } from '@svc/testing/length/test-length.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const ONE_AGENT_CALLS = countRepetitions({ short: 4_000, long: 100_000 });
const AGENTS = countRepetitions({ short: 250, long: 1_000 });
const EACH_AGENT_CALLS = countRepetitions({ short: 24, long: 100 });
const CONNECTIONS = 32;
const CREATED_AT_ONCE = 10;
const PROBES = 10;
const DELAY_MAX_MS = 2_000;
/** Refusals from which an incident rule matches. */
const REFUSALS = 3;

const reason = 'test';
const BLOCK_ALL = [{ id: 'never', effect: 'BLOCK', reason: 'Never.' }];
/** Consumers of refusals. */
const CONSUMERS = ['conduct', 'incident-rules'];

let planes: StartedPlanes;
let worker: RunningProcess;
let database: pg.Client;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
  worker = await startWorker(planes.database);
  database = await planes.database.client();
});
after(async () => {
  await worker.stop();
  await database.end();
  await planes.stop();
});

const mustOwn = async (governed: Governed, method: string, path: string, body: object): Promise<void> => {
  const answer = await governed.owner(method, path, body);
  assert.ok(answer.status < 300, answer.text);
};

const newBlocked = async (rule: object): Promise<Governed> => {
  const governed = await newGoverned(planes, { rules: BLOCK_ALL });
  const { environment_id } = governed.tenant;
  await mustOwn(governed, 'POST', '/v1/incident-rules', { environment_id, severity: 'HIGH', reason, name: 'Refusals', ...rule });
  await mustOwn(governed, 'PUT', `/v1/environments/${environment_id}/risk-settings`, { thresholds: { elevated: 20, high: 30 }, reason });
  return governed;
};

const count = async (text: string, values: readonly unknown[]): Promise<number> =>
  (await database.query<{ n: number }>(`select (${text})::int as n`, [...values])).rows[0]?.n ?? 0;

const waitUntilTaken = async (): Promise<void> => {
  let left = Number.POSITIVE_INFINITY;
  const isTaken = async (): Promise<boolean> => {
    const text = `select count(*) from audit_events e, feed_positions p
      where p.consumer = any($1) and e.type = 'action.blocked' and e.transaction_id >= p.transaction_id and (e.transaction_id > p.transaction_id or e.id > p.id)`;
    left = await count(text, [CONSUMERS]);
    return left === 0;
  };
  // Each wait is bounded; a storm takes several, as long as the worker advances.
  for (let before = left; ; before = left) {
    try {
      return await waitUntil('the worker took all events', isTaken);
    } catch (error) {
      if (left >= before) throw error;
    }
  }
};

/** Milliseconds from refusals of another organization until an incident of its rule counts them, in some number of probes. */
const measureDelays = async (other: Governed, probes: () => boolean): Promise<readonly number[]> => {
  const readMatches = async (): Promise<number> => (await other.owner('GET', '/v1/incidents')).json[0]?.matches ?? 0;
  const delays: number[] = [];
  while (probes()) {
    const matches = await readMatches();
    assert.equal((await other.act({})).status, 403);
    const refusedAt = performance.now();
    await waitUntil('the refusal is counted', async () => (await readMatches()) > matches);
    delays.push(performance.now() - refusedAt);
  }
  return delays;
};

const getSlow = (delays: readonly number[]): number =>
  delays.toSorted((one, other) => one - other)[Math.floor((delays.length - 1) * 0.9)] ?? 0;

const times = (limit: number): (() => boolean) => {
  let left = limit;
  return () => {
    left -= 1;
    return left >= 0;
  };
};

/** Sends refused calls while another organization's refusals are timed. */
const storm = async (governed: Governed, other: Governed, tokens: readonly string[], total: number): Promise<readonly number[]> => {
  let isOver = false;
  const delays = measureDelays(other, () => !isOver);
  const load = { gatewayUrls: planes.gatewayUrls, tokens, body: { tool: governed.tool.name }, count: total, connections: CONNECTIONS };
  const { statuses } = await sendActions(load);
  isOver = true;
  assert.deepEqual([...statuses], [[403, total]]);
  return delays;
};

const readTokens = (of: Awaited<ReturnType<typeof newAgent>>) => Promise.all(planes.gatewayUrls.map((url) => mintToken(url, of)));

const newTokens = async (governed: Governed): Promise<string[]> => {
  const tokens: string[] = [];
  for (let made = 0; made < AGENTS; made += CREATED_AT_ONCE) {
    const created = Array.from({ length: Math.min(CREATED_AT_ONCE, AGENTS - made) }, async () =>
      mintToken(planes.gatewayUrl, await newAgent(governed.tenant)),
    );
    tokens.push(...(await Promise.all(created)));
  }
  return tokens;
};

type Counts = Readonly<Record<'riskEvents' | 'riskEventsTold' | 'incidents' | 'incidentsTold' | 'entries' | 'thresholds', number>>;

const readCounts = async ({ tenant }: Governed): Promise<Counts> => {
  const of = [tenant.organization_id];
  const told = (type: string) => count('select count(*) from audit_events where organization_id = $1 and type = $2', [...of, type]);
  return {
    riskEvents: await count('select count(*) from risk_events where organization_id = $1', of),
    riskEventsTold: await told('risk.event_created'),
    incidents: await count('select count(*) from incidents where organization_id = $1', of),
    incidentsTold: await told('incident.created'),
    entries: await count('select count(*) from incident_entries where organization_id = $1', of),
    thresholds: await told('risk.threshold_exceeded'),
  };
};

test(
  `${ONE_AGENT_CALLS} refused calls of one agent are one incident and one risk event of each signal, and delay no other organization by 2 s`,
  longOnly,
  async (t) => {
    const governed = await newBlocked({ condition: 'REFUSALS', count: REFUSALS, within_seconds: 600 });
    const other = await newBlocked({ condition: 'REFUSAL_CODE', code: 'ACTION_BLOCKED' });
    const calm = getSlow(await measureDelays(other, times(PROBES)));
    const delayed = getSlow(await storm(governed, other, await readTokens(governed.agent), ONE_AGENT_CALLS));
    await waitUntilTaken();
    const matches = ONE_AGENT_CALLS - REFUSALS + 1;
    await waitUntil('the incident counts all', async () => (await governed.owner('GET', '/v1/incidents')).json[0]?.matches === matches);
    const counts = await readCounts(governed);
    t.diagnostic(`${JSON.stringify(counts)}; delay of another organization ${calm.toFixed(0)} ms, in the storm ${delayed.toFixed(0)} ms`);
    assert.deepEqual([counts.incidents, counts.incidentsTold], [1, 1]);
    assert.ok(counts.riskEvents >= 1 && counts.riskEvents <= 4, `${counts.riskEvents} risk events`);
    assert.equal(counts.riskEventsTold, counts.riskEvents);
    assert.ok(counts.thresholds <= 2, `${counts.thresholds} thresholds`);
    assert.ok(counts.entries <= LIMITS.incidents.entriesMax);
    assert.ok(delayed - calm < DELAY_MAX_MS, `${calm} ms without the storm, ${delayed} ms in it`);
  },
);

test(
  `${EACH_AGENT_CALLS} refused calls of each of ${AGENTS} agents open at most 20 incidents and 200 risk events, and one of each collects the others`,
  longOnly,
  async (t) => {
    const governed = await newBlocked({ condition: 'REFUSALS', count: REFUSALS, within_seconds: 600 });
    const other = await newBlocked({ condition: 'REFUSAL_CODE', code: 'ACTION_BLOCKED' });
    const tokens = await newTokens(governed);
    const calm = getSlow(await measureDelays(other, times(PROBES)));
    const total = AGENTS * EACH_AGENT_CALLS;
    const delayed = getSlow(await storm(governed, other, tokens, total));
    await waitUntilTaken();
    await waitUntil('the jobs took what the worker left', async () => {
      const left = await Promise.all(
        ['risk_notices', 'incident_matches'].map((table) =>
          count(`select count(*) from ${table} where organization_id = $1`, [governed.tenant.organization_id]),
        ),
      );
      return left.every((rows) => rows === 0);
    });
    const counts = await readCounts(governed);
    t.diagnostic(`${JSON.stringify(counts)}; delay of another organization ${calm.toFixed(0)} ms, in the storm ${delayed.toFixed(0)} ms`);
    assert.equal(counts.incidents, LIMITS.incidentRules.openedPerHourMax + 1);
    assert.equal(counts.incidentsTold, counts.incidents);
    assert.equal(counts.riskEvents, LIMITS.risk.newEventsPerHourMax + 1);
    assert.equal(counts.riskEventsTold, counts.riskEvents);
    assert.ok(counts.entries <= counts.incidents * LIMITS.incidents.entriesMax);
    const [{ counted }] = (
      await database.query('select sum(count)::int as counted from risk_events where organization_id = $1 and signal = $2', [
        governed.tenant.organization_id,
        'too_many',
      ])
    ).rows;
    assert.ok(counted >= AGENTS - LIMITS.risk.newEventsPerHourMax, `${counted} are collected`);
    assert.ok(delayed - calm < DELAY_MAX_MS, `${calm} ms without the storm, ${delayed} ms in it`);
  },
);
