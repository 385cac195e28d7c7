import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bearerTransport, createControlClient } from '@svc/client/client.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { startPlanes } from '@svc/testing/planes/start-planes.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import type pg from 'pg';
import { getProcessMicros } from '../processor-time.ts';
import { type Case, getCases } from './cases.ts';
import { generateEvents, sealAll } from './generate.ts';

/**
 * npm run bench -- search [--events=5000000 --times=20]
 *
 * Measures how long a page of the record takes, for filters that match many, few and no events.
 */
endOnOtherWords(
  `Measures how long a page of the record takes, for filters that are common, rare and in vain:

    npm run bench -- search                             among five million events
    npm run bench -- search --events=100000 --times=5   among so many, each filter so often`,
  /^--(events|times)=\d+$/,
);
const { values } = parseArgs({ options: { events: { type: 'string', default: '5000000' }, times: { type: 'string', default: '20' } } });
const EVENTS = Number(values.events);
const TIMES = Number(values.times);
const ASKED_MS = 50;
const SEGMENT_LEAVES = 8_192;

const planes = await startPlanes({ gateways: 0 });
const owner = await planes.database.client();
const tenant = await newTenant(planes);
const organizationId = tenant.organization_id;
const timed = async <Result>(work: () => Promise<Result>): Promise<[number, Result]> => {
  const begun = performance.now();
  const result = await work();
  return [performance.now() - begun, result];
};

const [generatedMs] = await timed(() =>
  generateEvents(owner, { organizationId, workspaceId: tenant.workspace_id, environmentId: tenant.environment_id, events: EVENTS }),
);
await sealAll(owner, organizationId);
console.log(`${EVENTS.toLocaleString('en')} events generated and placed in ${Math.round(generatedMs / 1_000)} s`);

const backendMicros = async (): Promise<number> => {
  const { rows } = await owner.query<{ pid: number }>(
    "select pid from pg_stat_activity where usename like '%reader' and datname = current_database()",
  );
  return rows.reduce((sum, { pid }) => sum + getProcessMicros(pid), 0);
};
const size = async (sql: string, parameters: unknown[] = []): Promise<number> =>
  Number((await owner.query(sql, parameters)).rows[0]?.n ?? 0);

const sumUp = async (): Promise<void> => {
  const worker = await startWorker(planes.database);
  const [atFirst, atFirstServer] = [getProcessMicros(worker.child.pid ?? 0), await backendMicros()];
  const whole =
    Math.floor((await size('select size as n from audit_trees where organization_id = $1', [organizationId])) / SEGMENT_LEAVES) *
    SEGMENT_LEAVES;
  const summed = () => size('select leaves as n from audit_search_marks where organization_id = $1', [organizationId]);
  const [ms] = await timed(async () => {
    while ((await summed()) < whole) await sleep(200);
  });
  const own = (getProcessMicros(worker.child.pid ?? 0) - atFirst) / whole;
  const server = ((await backendMicros()) - atFirstServer) / whole;
  const bytes = await size("select pg_total_relation_size('audit_search_segments') as n");
  console.log(
    `summed up in ${Math.round(ms / 1_000)} s, resting in between: ${own.toFixed(2)} us of the worker and ${server.toFixed(2)} us of the server for an event, ${(bytes / whole).toFixed(0)} bytes for an event`,
  );
  await worker.stop();
};

const client = createControlClient({ transport: bearerTransport({ url: planes.controlUrl, token: tenant.token }) });

const page = async ({ query }: Case) => {
  const begun = performance.now();
  const { data, page: read } = await client.searchAuditEvents({ query });
  return { ms: performance.now() - begun, rows: data.length, stoppedEarly: read.stopped_early === true };
};

const measure = async (each: Case): Promise<boolean> => {
  const runs = [];
  for (let time = 0; time < TIMES; time += 1) runs.push(await page(each));
  const sorted = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  const [first, p50, p95] = [
    runs[0]?.ms ?? 0,
    sorted[Math.floor(TIMES / 2)] ?? 0,
    sorted[Math.min(TIMES - 1, Math.floor(TIMES * 0.95))] ?? 0,
  ];
  const { rows = 0, stoppedEarly = false } = runs.at(-1) ?? {};
  const isGood = p50 < ASKED_MS && !stoppedEarly;
  console.log(
    `${each.name.padEnd(40)} ${String(rows).padStart(3)} rows  first ${first.toFixed(1).padStart(6)}  p50 ${p50.toFixed(1).padStart(6)}  p95 ${p95.toFixed(1).padStart(6)} ms${stoppedEarly ? '  stopped early' : ''}${isGood ? '' : '  !'}`,
  );
  return isGood;
};

const pick = async (db: pg.Client) => {
  const { rows } = await db.query(
    `select request_id, subject_id, actor_id, data->>'invoice' as invoice, to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at
       from audit_events where organization_id = $1 and id > (select id from audit_events where organization_id = $1 order by id limit 1)
        and type = 'action.allowed' order by id offset 1000 limit 1`,
    [organizationId],
  );
  return rows[0];
};

await sumUp();
const cases = getCases(await pick(owner));
const good = [];
for (const each of cases) good.push(await measure(each));
console.log(`required: under ${ASKED_MS} ms; ${good.filter((each) => each).length} of ${good.length}`);
await owner.end();
await planes.stop();
process.exitCode = good.every((each) => each) ? 0 : 1;
