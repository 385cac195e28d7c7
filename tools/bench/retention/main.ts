import { SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import type pg from 'pg';
import { bringUp } from './databases.ts';
import { openRecording } from './insert-cost.ts';

/**
 * npm run bench:retention: what it costs that events lie in partitions. How long a million events take to be carried over, what the server's
 * processor does for an event that is recorded, beside a table that is whole, and what it takes to drop a month.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 8);
const ROWS = Number(process.env.ROWS ?? 1_000_000);

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const fill = (owner: pg.Client, rows: number) =>
  owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, subject_type,
       subject_id, severity, request_id, trace_id, data)
     select 'org_1', 'evt_' || lpad(n::text, 26, '0'), 'action.allowed', now(), 'wsp_1', 'env_1', 'AGENT', 'agt_1', 'action', 'act_' || n,
       'info', 'req_1', repeat('f', 32), '{"tool":"refund.create","decision":"ALLOW","mode":"ENFORCE","agent_id":"agt_1"}'
       from generate_series(1, $1::int) n`,
    [rows],
  );

const kind = SERVER_KINDS[0];
if (kind === undefined) throw new Error('There is no server to measure on.');
const server = await kind.start();
try {
  const opened = await Promise.all(
    (['whole', 'parted'] as const).map(async (kept) => {
      const { url } = await server.newDatabase();
      await bringUp(url, kept);
      const owner = await server.asSuperuser(new URL(url).pathname.slice(1));
      return { url, owner, ...(await openRecording(url, owner)), costs: [] as number[] };
    }),
  );
  for (const batch of [30, 1]) {
    for (const one of opened) one.costs.length = 0;
    for (let round = 0; round < ROUNDS; round += 1)
      for (const one of round % 2 === 0 ? opened : opened.toReversed()) one.costs.push(await one.cost(batch === 1 ? 1_500 : 6_000, batch));
    const [before = 0, after = 0] = opened.map(({ costs }) => median(costs));
    const ratio = (after / before).toFixed(3);
    console.log(
      `${batch} decisions in a statement: ${before.toFixed(1)} µs for an event in a whole table, ${after.toFixed(1)} in partitions: ${ratio}`,
    );
  }
  const [whole] = opened;
  if (whole !== undefined) {
    await fill(whole.owner, ROWS);
    console.log(`${ROWS} events are carried over in ${await bringUp(whole.url, 'parted')} ms`);
  }
  await Promise.all(opened.flatMap(({ owner, close }) => [owner.end(), close()]));
} finally {
  await server.remove();
}
