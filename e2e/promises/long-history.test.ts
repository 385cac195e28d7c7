import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { sendActions } from '@svc/testing/agents/send-actions.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { countRepetitions, longOnly } from '@svc/testing/length/test-length.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const FIRST_ACTIONS = 1_000;
const ACTIONS = countRepetitions({ short: 10_000, long: 1_000_000 });
/** Actions after which the worker may fold what it has. */
const CHUNK = 20_000;
const CONNECTIONS = 32;
const STATE_BYTES_MAX = 2_000;
const ROUNDS = 10;
const ROUND_ACTIONS = 60;
const SLOWER_MAX = 1.2;
/** Rows that sessions, jobs and settings may add to any table. */
const ROWS_MORE_MAX = 10;
/** Less than the time for which a token is valid. */
const TOKEN_MS = 600_000;

/** Tables that have a row for each action, event or sealed part of the log. */
const GROWING = /^(actions|audit_events|audit_log_\w+|audit_tiles|audit_leaves|audit_checkpoints)(_|$)/;

type Installation = {
  readonly planes: StartedPlanes;
  readonly worker: RunningProcess;
  readonly database: pg.Client;
  readonly governed: Governed;
};

/** Rules that read the score, so that each decision needs the history. */
const RULES = [
  { id: 'risky', effect: 'BLOCK', reason: 'Too risky.', when: { field: 'risk.score', op: 'gte', value: 90 } },
  { id: 'allowed', effect: 'ALLOW', reason: 'Allowed.', when: { field: 'risk.score', op: 'lt', value: 90 } },
];
const TESTS = [{ name: 'calm', given: { 'risk.score': 0 }, then: { effect: 'ALLOW' } }];

const install = async (): Promise<Installation> => {
  const planes = await startPlanes();
  const worker = await startWorker(planes.database, {});
  const governed = await newGoverned(planes, { rules: RULES, tests: TESTS });
  return { planes, worker, governed, database: await planes.database.client() };
};

const uninstall = async ({ planes, worker, database }: Installation): Promise<void> => {
  await worker.stop();
  await database.end();
  await planes.stop();
};

const isFolded = async (database: pg.Client): Promise<boolean> => {
  const { rowCount } = await database.query(
    `select from feed_positions p join lateral (
         select from audit_events e where e.transaction_id >= p.transaction_id and (e.transaction_id > p.transaction_id or e.id > p.id)
            and e.type = 'action.allowed' limit 1
       ) as next on true where p.consumer in ('conduct', 'seal-events')`,
  );
  return rowCount === 0;
};

const tokens = new Map<Governed, { readonly token: string; readonly mintedAt: number }>();

const getToken = async (governed: Governed): Promise<string> => {
  const known = tokens.get(governed);
  if (known !== undefined && performance.now() < known.mintedAt + TOKEN_MS) return known.token;
  const token = await mintToken(governed.planes.gatewayUrl, governed.agent);
  tokens.set(governed, { token, mintedAt: performance.now() });
  return token;
};

const send = async (governed: Governed, count: number, connections: number) =>
  sendActions({
    ...{
      gatewayUrls: governed.planes.gatewayUrls,
      tokens: [await getToken(governed)],
      body: { tool: governed.tool.name },
      count,
      connections,
    },
  });

/** Lets the agent act, in parts after each of which the worker folds. */
const act = async ({ governed, database }: Installation, count: number): Promise<void> => {
  for (let left = count; left > 0; left -= CHUNK) {
    const { statuses } = await send(governed, Math.min(left, CHUNK), CONNECTIONS);
    assert.deepEqual([...statuses.keys()], [200]);
    await waitUntil('the worker folded and sealed them', () => isFolded(database));
  }
};

const countRows = async (database: pg.Client): Promise<ReadonlyMap<string, number>> => {
  const { rows: tables } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables)
    counts.set(name, (await database.query<{ rows: number }>(`select count(*)::int as rows from "${name}"`)).rows[0]?.rows ?? 0);
  return counts;
};

const getMedian = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

let old: Installation;
let young: Installation;
before(async () => {
  old = await install();
});
after(async () => {
  await uninstall(old);
  if (young !== undefined) await uninstall(young);
});

test(
  `the ${ACTIONS}th action of an agent is decided in 1.2 times the time of the ${FIRST_ACTIONS}th, and its history has the same size`,
  longOnly,
  async (t) => {
    await act(old, FIRST_ACTIONS);
    const before = await countRows(old.database);
    await act(old, ACTIONS - FIRST_ACTIONS);
    const grown = [...(await countRows(old.database))].filter(
      ([name, rows]) => rows > (before.get(name) ?? 0) + ROWS_MORE_MAX && !GROWING.test(name),
    );
    assert.deepEqual(grown, [], 'only the tables of actions and events grow');
    const { rows } = await old.database.query('select octet_length(state) as bytes from agent_conduct');
    assert.equal(rows.length, 1);
    assert.ok(rows[0].bytes <= STATE_BYTES_MAX, `${rows[0].bytes} bytes`);
    young = await install();
    await act(young, FIRST_ACTIONS);
    const took = { old: [] as number[], young: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, installation] of Object.entries({ old, young }))
        took[name as keyof typeof took].push(...(await send(installation.governed, ROUND_ACTIONS, 1)).tookMs);
    const [oldMs, youngMs] = [getMedian(took.old), getMedian(took.young)];
    t.diagnostic(
      `${ACTIONS} actions: p50 ${oldMs.toFixed(2)} ms, after ${FIRST_ACTIONS}: ${youngMs.toFixed(2)} ms; history ${rows[0].bytes} bytes`,
    );
    assert.ok(oldMs <= youngMs * SLOWER_MAX, `${oldMs} ms after ${ACTIONS} actions, ${youngMs} ms after ${FIRST_ACTIONS}`);
  },
);
