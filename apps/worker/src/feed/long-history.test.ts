import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Conduct, newConduct } from '@svc/domain/risk/conduct/conduct.ts';
import { decodeConduct, encodeConduct } from '@svc/domain/risk/conduct/encode-conduct.ts';
import { foldAction } from '@svc/domain/risk/conduct/fold-action.ts';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
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
  planes = await startPlanes({ gateways: 1 });
  worker = await startWorker(planes.database, {});
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await worker.stop();
  await planes.stop();
});

const ACTIONS = countRepetitions({ short: 100_000, long: 1_000_000 });
const STATE_BYTES_MAX = 2_000;
const SLOWER_AT_MOST = 1.2;
const DECISIONS = 300;
const STEP = 50_000;
const EVERY_MS = 7_000;

const mark = (n: number) => [(n * 2_654_435_761) >>> 0, (n * 40_503) >>> 0] as const;

/** Folds a long life with many tools, destinations, networks, records and amounts. */
const liveLong = (count: number, until: number): Conduct => {
  const conduct = newConduct();
  for (let n = 0; n < count; n += 1)
    foldAction(conduct, {
      atMs: until - (count - n) * EVERY_MS,
      outcome: n % 17 === 0 ? 'refused' : 'permitted',
      trace: {
        ...{ tool: mark(n % 40), destination: mark(n % 900), network: mark(n % 30), record: mark(n), amount: (n % 1_000) * 100 },
        beganContext: n % 50 === 0,
      },
      counted: n % 101 === 0 ? [{ family: 'volume', points: 20 }] : [],
    });
  return conduct;
};

test('the history of an agent has the same size after any number of actions', () => {
  const sizes = [1_000, ACTIONS].map((count) => encodeConduct(liveLong(count, Date.now())).length);
  assert.ok((sizes[1] ?? 0) <= STATE_BYTES_MAX, `${sizes}`);
});

/** Copies the agent's first action, so that it has as many. */
const addActions = async ({ agent }: Governed, count: number): Promise<void> => {
  const { rows } = await database.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
      where table_schema = 'public' and table_name = 'actions' and is_identity = 'NO' and is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => name);
  const changed: Readonly<Record<string, string>> = {
    id: "'act_' || lpad(n::text, 26, '0')",
    created_at: "now() - interval '7 seconds' * n",
    request_id: "'req_' || lpad(n::text, 26, '0')",
  };
  await database.query('set session_replication_role = replica');
  for (let from = 1; from <= count; from += STEP)
    await database.query(
      `insert into actions (${columns.join(', ')}) select ${columns.map((name) => changed[name] ?? `r.${name}`).join(', ')}
         from (select * from actions where agent_id = $1 limit 1) r, generate_series($2::int, $3::int) n`,
      [agent.id, from, Math.min(count, from + STEP - 1)],
    );
  await database.query('set session_replication_role = default');
  await database.query('analyze actions');
};

const readMedian = (times: readonly number[]): number => times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

/** Rows of all tables with a tenant, by table; partitions count as their table. */
const countTenantRows = async (organizationId: string): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await database.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE'
        and not exists (select from pg_inherits i where i.inhrelid = to_regclass(quote_ident(c.table_name)))`,
  );
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const { rows: counted } = await database.query<{ count: string }>(`select count(*) from "${name}" where organization_id = $1`, [
      organizationId,
    ]);
    counts.set(name, Number(counted[0]?.count));
  }
  return counts;
};

test('a decision of an agent with a long history takes no longer than that of a new one, and adds an action and events alone', async () => {
  const governed = await newGoverned(planes);
  const { tenant, owner, tool, agent } = governed;
  const young = await newAgent(tenant, { capabilities: ['pay'] });
  assert.equal((await owner('POST', `/v1/tools/${tool.id}/agents`, { agent_id: young.id })).status, 201);
  const youngToken = await mintToken(planes.gatewayUrl, young);
  for (const token of [governed.token, youngToken]) assert.equal((await governed.act({}, { token })).status, 200);
  const readState = async () =>
    (await database.query<{ state: Buffer }>('select state from agent_conduct where agent_id = $1', [agent.id])).rows[0]?.state;
  await waitUntil('its history begins', async () => (await readState()) !== undefined);
  await addActions(governed, ACTIONS);
  const state = Buffer.from(encodeConduct(liveLong(ACTIONS, Date.now())));
  await database.query('update agent_conduct set state = $2, version = version + 1 where agent_id = $1', [agent.id, state]);
  const times = { long: [] as number[], young: [] as number[] };
  const decide = async (token: string): Promise<number> => {
    const began = performance.now();
    const { status, text } = await governed.act({}, { token });
    assert.equal(status, 200, text);
    return performance.now() - began;
  };
  for (let warm = 0; warm < 50; warm += 1) for (const token of [governed.token, youngToken]) await decide(token);
  const before = await countTenantRows(tenant.organization_id);
  for (let count = 0; count < DECISIONS; count += 1) {
    times.young.push(await decide(youngToken));
    times.long.push(await decide(governed.token));
  }
  const ratio = readMedian(times.long) / readMedian(times.young);
  assert.ok(ratio <= SLOWER_AT_MOST, `${ratio}`);
  const permitted = async () => (decodeConduct((await readState()) ?? Buffer.alloc(0)) as Conduct).permitted;
  const expected = (decodeConduct(state) as Conduct).permitted + DECISIONS;
  await waitUntil('all are folded', async () => (await permitted()) >= expected);
  assert.ok(((await readState())?.length ?? 0) <= STATE_BYTES_MAX);
  const now = await countTenantRows(tenant.organization_id);
  const grown = [...now].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
  assert.deepEqual(
    grown.filter((name) => !['actions', 'audit_events'].includes(name)),
    [],
  );
  assert.equal((now.get('actions') ?? 0) - (before.get('actions') ?? 0), 2 * DECISIONS);
});
