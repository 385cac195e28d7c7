import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { beginFeed, stepFeed } from '@svc/postgres/audit/feed-positions.ts';
import { FEED_START, readFeed, selectEventTypes } from '@svc/postgres/audit/read-feed.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin, testRole } from '@svc/testing/database/master-key.ts';
import { authenticateEvents } from '@svc/testing/events/authenticate-events.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import type { EventConsumer } from './consumer.ts';
import { newFeedMeter } from './feed-meter.ts';
import { type RunningConsumers, runConsumers } from './run-consumers.ts';

let database: FreshDatabase;
let owner: pg.Client;
let pools: Database[] = [];
let running: RunningConsumers[] = [];
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  await owner.query(
    `create table taken (consumer text, worker text, id text); grant select, insert on taken to "${testRole('svc_reader')}"`,
  );
});
beforeEach(() => owner.query('truncate taken; delete from feed_positions; delete from audit_events'));
afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
  await Promise.all(pools.map((pool) => pool.destroy()));
  [running, pools] = [[], []];
});
after(async () => {
  await owner.end();
  await database.drop();
});

let written = 0;
/** Each call is a separate transaction; ids need not be in order. */
const insert = async (count: number, organization = 'org_1', type = 'action.allowed'): Promise<void> => {
  written += 1;
  await owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     select $1, 'evt_' || md5($2 || '-' || n), $4, now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}' from generate_series(1, $3::int) n`,
    [organization, written, count, type],
  );
};
const write = (...given: Parameters<typeof insert>): Promise<void> => authenticateEvents(owner, () => insert(...given));

const noting = (name: string, worker: string, more: () => Promise<void> | void = () => undefined): EventConsumer => ({
  name,
  begins: 'first',
  take: async (tx, events) => {
    const ids = events.map(({ event }) => event.id);
    await sql`insert into taken (consumer, worker, id) select ${name}, ${worker}, unnest(${ids}::text[])`.execute(tx);
    await more();
  },
});

const listSettings = (connectionsMax: number) => ({
  url: database.url,
  role: 'svc_reader' as const,
  ...testLogin('svc_reader'),
  connectionsMax,
  timeoutMs: 20_000,
});

const run = (consumers: readonly EventConsumer[], log = pino({ level: 'silent' })) => {
  const pool = connect(listSettings(consumers.length));
  const meter = newFeedMeter(
    consumers.map(({ name }) => name),
    Date.now,
  );
  pools.push(pool);
  running.push(runConsumers({ database: pool, log, meter }, consumers));
  return meter;
};

const taken = async (consumer: string): Promise<{ ids: number; times: number; workers: string[] }> => {
  const { rows } = await owner.query<{ ids: number; times: number; workers: string[] }>(
    `select count(distinct id)::int as ids, count(*)::int as times, coalesce(array_agg(distinct worker), '{}') as workers from taken where consumer = $1`,
    [consumer],
  );
  return rows[0] as { ids: number; times: number; workers: string[] };
};

test('several workers give each event to each consumer once, during concurrent writes', async () => {
  for (const worker of ['one', 'two', 'three']) run([noting('a', worker), noting('b', worker)]);
  for (let round = 0; round < 20; round += 1) await write(50 + round, `org_${round % 3}`);
  const all = 20 * 50 + 190;
  for (const consumer of ['a', 'b']) {
    await waitUntil('all are taken', async () => (await taken(consumer)).times >= all);
    assert.deepEqual({ ...(await taken(consumer)), workers: undefined }, { ids: all, times: all, workers: undefined });
  }
});

test('a consumer gets no event that the service did not write, unless it is sealed, and every one that it did', async () => {
  run([noting('a', 'one')]);
  await write(5);
  await insert(300);
  await write(5);
  await waitUntil('the genuine ones are taken', async () => (await taken('a')).times >= 10);
  await owner.query(
    `insert into audit_trees (organization_id, size, root_hash, edge, checkpoint) values ('org_2', 1, '\\x00', '\\x00', '');
     insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash) values ('org_2', 0, 'evt_' || md5('${written + 1}-1'), '\\x00')`,
  );
  await insert(2, 'org_2');
  await write(1);
  await waitUntil('the last is taken', async () => (await taken('a')).times >= 12);
  assert.deepEqual({ ...(await taken('a')), workers: undefined }, { ids: 12, times: 12, workers: undefined });
});

test('a failing consumer is reported, retried later, and delays no other', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  let isMended = false;
  const broken = noting('broken', 'one', () => {
    if (!isMended) throw new Error('it does not work yet');
  });
  const meter = run([broken, noting('sound', 'one')], log);
  await write(10);
  await waitUntil('one is told and the other has all', async () => lines.length > 0 && (await taken('sound')).times === 10);
  assert.equal((await taken('broken')).times, 0);
  assert.match(lines[0] ?? '', /"consumer":"broken".*it does not work yet/);
  const { rows } = await owner.query('select failures > 0 as told, retry_at is not null as waits from feed_positions where consumer = $1', [
    'broken',
  ]);
  assert.deepEqual(rows, [{ told: true, waits: true }]);
  const behind = () => meter.metrics.find(({ name }) => name === 'svc_feed_behind_seconds')?.samples() ?? [];
  const isTold = () => behind().some(({ labels, value }) => labels.consumer === 'broken' && value > 0);
  await waitUntil('it is told as behind although it never took anything', isTold);
  isMended = true;
  await waitUntil('it takes them once it is mended', async () => (await taken('broken')).times === 10);
  const told = Object.fromEntries(meter.metrics.map(({ name, samples }) => [name, samples()]));
  assert.ok((told.svc_feed_failures_total ?? []).some(({ labels, value }) => labels.consumer === 'broken' && value > 0));
  assert.ok((told.svc_feed_events_total ?? []).every(({ value }) => value === 10));
  await waitUntil(
    'its failures are over',
    async () => (await owner.query('select from feed_positions where failures = 0 and retry_at is null')).rowCount === 2,
  );
});

test('events of one organization whose rows the database refuses are omitted and reported, and those of all others are processed', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const sound = noting('a', 'one');
  const refused: EventConsumer = {
    ...sound,
    take: async (tx, events) => {
      await sound.take(tx, events);
      if (events.some(({ event }) => event.organization_id === 'org_2')) await sql`select 1 / 0`.execute(tx);
    },
  };
  for (const organization of ['org_1', 'org_2', 'org_3', 'org_2']) await write(5, organization);
  const meter = run([refused], log);
  await waitUntil('the others have theirs', async () => (await taken('a')).times === 10);
  assert.match(lines.at(-1) ?? '', /"consumer":"a","organization_id":"org_2","count":10,.*its events are skipped/);
  const leftOut = meter.metrics.find(({ name }) => name === 'svc_feed_left_out_total')?.samples();
  assert.deepEqual(leftOut, [{ labels: { consumer: 'a' }, value: 10 }]);
  await write(5, 'org_1');
  await waitUntil('it goes on', async () => (await taken('a')).times === 15);
});

test('an error that does not concern rows omits no organization, however often it occurs', async () => {
  let tries = 0;
  run([
    noting('a', 'one', () => {
      tries += 1;
      if (tries < 5) throw Object.assign(new Error('the server ends'), { code: '57P01' });
    }),
  ]);
  for (const organization of ['org_1', 'org_2']) await write(5, organization);
  await waitUntil('all are taken', async () => (await taken('a')).times === 10);
  assert.ok(tries > 5);
});

test('a consumer without progress is reported as behind since its failure, by every worker, regardless of event times', async () => {
  const broken = noting('broken', 'one', () => {
    throw new Error('it never works');
  });
  const meters = [run([broken]), run([broken])];
  await authenticateEvents(owner, async () => {
    await insert(1);
    await owner.query("update audit_events set occurred_at = '9000-01-01'");
  });
  const behind = () =>
    meters.map((meter) => meter.metrics.find(({ name }) => name === 'svc_feed_behind_seconds')?.samples()[0]?.value ?? 0);
  await waitUntil('both tell it', () => behind().every((seconds) => seconds > 1));
  assert.deepEqual(
    meters.map(({ stand }) => stand()),
    ['ok', 'ok'],
  );
  await owner.query("update feed_positions set failing_since = now() - interval '1 minute'");
  await waitUntil('both are behind', () => meters.every(({ stand }) => stand() === 'behind'));
  assert.ok(behind().every((seconds) => seconds > 50));
  await owner.query('delete from audit_events; update feed_positions set retry_at = null');
  const over = 'select from feed_positions where failures = 0 and failing_since is null and retry_at is null';
  await waitUntil('it is over where nothing is left that it could not take', async () => (await owner.query(over)).rowCount === 1);
});

test('another worker takes over the batch of a killed one, and nothing is processed twice or omitted', async () => {
  await write(40);
  const program = `
    const { connect } = await import('@svc/postgres/connection/connect.ts');
    const { sql } = await import('kysely');
    const { stepFeed, beginFeed } = await import('@svc/postgres/audit/feed-positions.ts');
    const { readFeed } = await import('@svc/postgres/audit/read-feed.ts');
    const database = connect(${JSON.stringify(listSettings(1))});
    await beginFeed(database, 'a', 'first');
    await stepFeed(database, { consumer: 'a', read: readFeed, take: async (tx, events) => {
      await sql\`insert into taken (consumer, worker, id) select 'a', 'killed', unnest(\${events.map(({ event }) => event.id)}::text[])\`.execute(tx);
      console.log('holds');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    } });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  run([noting('a', 'heir')]);
  assert.equal((await taken('a')).times, 0);
  child.kill('SIGKILL');
  await waitUntil('another takes over', async () => (await taken('a')).times > 0);
  assert.deepEqual(await taken('a'), { ids: 40, times: 40, workers: ['heir'] });
});

test('a concurrently moved position rolls the step back, and its events are not processed twice', async () => {
  await write(4);
  const intruder = await database.client();
  const pool = connect(listSettings(1));
  pools.push(pool);
  await beginFeed(pool, 'a', 'first');
  const consumer = noting('a', 'one', async () => {
    await intruder.query("update feed_positions set transaction_id = '99999999', id = 'z' where consumer = 'a'");
  });
  const isThere = async () => (await readFeed(pool, { after: FEED_START, limit: 10 })).events.length === 4;
  await waitUntil('they are settled', isThere);
  await assert.rejects(stepFeed(pool, { consumer: 'a', read: readFeed, take: consumer.take }), /moved by another/);
  assert.equal((await taken('a')).times, 0);
  await intruder.end();
});

test('a position of another server, without events here, is reset and reported, and later events are processed', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  await owner.query("insert into feed_positions (consumer, transaction_id, id) values ('a', '999999999', 'evt_z')");
  const meter = run([noting('a', 'one')], log);
  await waitUntil('it is put back', () => lines.length > 0);
  assert.match(lines[0] ?? '', /"consumer":"a".*was ahead of all events/);
  await write(5);
  await waitUntil('they are taken', async () => (await taken('a')).times === 5);
  const putBack = meter.metrics.find(({ name }) => name === 'svc_feed_put_back_total')?.samples();
  assert.deepEqual(putBack, [{ labels: { consumer: 'a' }, value: 1 }]);
});

test('a consumer of few events stores its position only with its work, and gets each of them once from any number of workers', async () => {
  const few = (worker: string): EventConsumer => ({ ...noting('few', worker), interest: selectEventTypes(['policy.updated']) });
  for (const worker of ['one', 'two']) run([few(worker)]);
  await waitUntil('it has begun', async () => (await owner.query("select from feed_positions where consumer = 'few'")).rowCount === 1);
  const position = async () => (await owner.query("select transaction_id, id from feed_positions where consumer = 'few'")).rows[0];
  const start = await position();
  for (let round = 0; round < 5; round += 1) await write(20);
  run([noting('all', 'one')]);
  await waitUntil('others have them', async () => (await taken('all')).times === 100);
  assert.deepEqual([(await taken('few')).times, await position()], [0, start]);
  for (let round = 0; round < 10; round += 1) {
    await write(3);
    await write(2, 'org_1', 'policy.updated');
  }
  await waitUntil('they are taken', async () => (await taken('few')).times >= 20);
  assert.deepEqual({ ...(await taken('few')), workers: undefined }, { ids: 20, times: 20, workers: undefined });
  assert.notDeepEqual(await position(), start);
});

test('a consumer without a position restarts at its declared start, and skips nothing', async () => {
  await write(6);
  run([noting('whole', 'one')]);
  await waitUntil('it has taken them', async () => (await taken('whole')).times === 6);
  await owner.query('truncate taken; delete from feed_positions');
  await waitUntil('it has taken them anew', async () => (await taken('whole')).times === 6);
});

test('a new consumer gets no earlier events', async () => {
  await write(5);
  const isOver = 'select from audit_events having max(transaction_id::text::int8) < pg_snapshot_xmin(pg_current_snapshot())::text::int8';
  await waitUntil('they are of before', async () => (await owner.query(isOver)).rowCount === 1);
  run([{ ...noting('late', 'one'), begins: 'now' }]);
  await waitUntil('it has begun', async () => (await owner.query("select from feed_positions where consumer = 'late'")).rowCount === 1);
  await write(3);
  await waitUntil('it has taken some', async () => (await taken('late')).times > 0);
  assert.equal((await taken('late')).times, 3);
});

test('events delayed by an open transaction are reported as behind, and processed once it ends', async () => {
  const meter = run([noting('held', 'one')]);
  await write(1);
  await waitUntil('it has begun', async () => (await taken('held')).times === 1);
  const behind = () => meter.metrics.find(({ name }) => name === 'svc_feed_behind_seconds')?.samples()[0]?.value ?? 0;
  const other = await database.client();
  await other.query('begin; select pg_current_xact_id()');
  await write(1);
  await waitUntil('it is told', () => behind() > 0.5);
  assert.equal((await taken('held')).times, 1);
  await other.query('rollback');
  await waitUntil('it is taken', async () => (await taken('held')).times === 2 && behind() === 0);
  await other.end();
});

/** Tables with secrets, sessions and settings, which no event may contain. */
const HIDDEN = ['api_keys', 'agent_keys', 'mails', 'passports', 'recovery_codes', 'second_factors', 'sessions', 'sso_connections'];

test('readers of the feed cannot add or change events, or see any secret', async () => {
  const { rows } = await owner.query<{ name: string; privilege: string }>(
    `select c.relname as name, a.privilege_type as privilege from pg_class c, lateral (select (aclexplode(c.relacl)).* union
         select (aclexplode(attacl)).* from pg_attribute where attrelid = c.oid and attacl is not null) a
      where a.grantee = $1::regrole and c.relnamespace = 'public'::regnamespace and c.relname = any ($2)`,
    [testRole('svc_reader'), ['audit_events', ...HIDDEN]],
  );
  assert.deepEqual(rows, [{ name: 'audit_events', privilege: 'SELECT' }]);
});
