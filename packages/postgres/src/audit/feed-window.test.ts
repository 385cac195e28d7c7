import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '../connection/connect.ts';
import { readLeaves } from './feed-leaves.ts';
import { LINE_COLUMNS } from './feed-lines.ts';
import { leavesThrough, newFeedWindow, readThrough } from './feed-window.ts';
import { FEED_START, type FeedEvent, type FeedPosition, readFeed, selectEventTypes } from './read-feed.ts';
import { readWhole } from './read-whole.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let all: Database;
let reads = 0;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  all = new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: fresh.url, max: 2 }) }),
    log: ({ query }) => {
      // Events that are read whole afterwards are read by their identifiers.
      if (query.sql.includes('pg_current_snapshot()')) reads += 1;
    },
  });
});
beforeEach(() => owner.query('delete from audit_events'));
after(async () => {
  await Promise.all([owner.end(), all.destroy()]);
  await fresh.drop();
});

let written = 0;
const write = async (count: number, { type = 'action.allowed', name = null as string | null, data = '{}' } = {}): Promise<string[]> => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, actor_name, subject_type, subject_id, severity, request_id, trace_id, data)
     select 'org_' || n % 3, 'evt_' || lpad((n + $1)::text, 8, '0'), $3, now(), 'AGENT', 'agt_1', $4, 'action', 'act_1', 'info', 'req_1', '', $5::jsonb
       from generate_series(1, $2::int) n returning id`,
    [written, count, type, name, data],
  );
  written += count;
  return rows.map(({ id }) => id);
};
const isSettled = async (count: number) => (await readFeed(all, { after: FEED_START, limit: 8_000 })).events.length === count;
/** This connection parses times of events that are read by columns. */
const withTimes = (events: readonly FeedEvent[]): FeedEvent[] =>
  events.map(({ event, ...fed }) => ({ ...fed, event: { ...event, occurred_at: new Date(event.occurred_at).toISOString() } }));
const getIds = (events: readonly { readonly event: { readonly id: string } }[]) => events.map(({ event }) => event.id);

test('reads an event as it was written, with any separators in its texts, empty or missing', async () => {
  const names = [
    null,
    '',
    '=',
    'a\u001fb',
    '\u001e',
    '\u001f0\u001e\u001f2\u001e',
    '\u001f1\u001e\u001f3\u001e\u001f',
    `\u001f${'x\u001f'.repeat(20)}`,
    'O’Brien "\\" \n\t',
  ];
  const data = { text: '\u001f\u001e\u0001 "é" 😀', deep: [{ b: 1.5, a: null }], '10': 1 };
  for (const name of names) await write(1, { name, data: JSON.stringify(data) });
  await waitUntil('they are settled', () => isSettled(names.length));
  const { events } = await readFeed(all, { after: FEED_START, limit: 100 });
  assert.deepEqual(
    events.map(({ event }) => event.actor.name),
    names,
  );
  const byColumns = await readFeed(all, { after: FEED_START, limit: 100, interest: selectEventTypes(['action.allowed']) });
  assert.deepEqual(events, withTimes(byColumns.events));
  assert.ok(events.every(({ event }) => event.workspace_id === null && event.trace_id === ''));
  const { rows } = await owner.query(
    "select attname as name from pg_attribute where attrelid = 'audit_events'::regclass and attnum > 0 and not attisdropped",
  );
  assert.deepEqual(rows.map(({ name }) => name).sort(), [...LINE_COLUMNS, 'leaf_hash', 'mac'].sort());
});

test('reads one range once for all its consumers, and gives each its events in order and without a gap', async () => {
  const window = newFeedWindow();
  const [whole, few] = [readThrough(window, 'whole'), readThrough(window, 'few')];
  const interest = selectEventTypes(['policy.updated']);
  const ids = [...(await write(300)), ...(await write(5, { type: 'policy.updated' })), ...(await write(300))];
  await waitUntil('they are settled', () => isSettled(ids.length));
  let after: FeedPosition = FEED_START;
  await few(all, { after, limit: 2, interest });
  reads = 0;
  const seen: string[] = [];
  for (let isFull = true; isFull; ) {
    const page = await whole(all, { after, limit: 7 });
    seen.push(...getIds(page.events));
    ({ reached: after, isFull } = page);
  }
  assert.deepEqual(seen, ids);
  const wanted: string[] = [];
  let at: FeedPosition = FEED_START;
  for (let isFull = true; isFull; ) {
    const page = await few(all, { after: at, limit: 2, interest });
    wanted.push(...getIds(page.events));
    ({ reached: at, isFull } = page);
  }
  assert.deepEqual(wanted, ids.slice(300, 305));

  assert.ok(reads < 40, `${reads} reads of 90 pages`);
});

test('passes only the leaf hash to the sealer, and the whole event to every other consumer', async () => {
  const window = newFeedWindow();
  const ids = [...(await write(6, { name: 'of its leaf' })), ...(await write(4, { name: '\u001e' })), ...(await write(6))];
  const said = new Set(ids.slice(2, 13));
  await owner.query('update audit_events set leaf_hash = sha256(id::bytea) where id = any ($1)', [[...said]]);
  await waitUntil('they are settled', () => isSettled(ids.length));
  const hashes = await owner.query("select id, encode(leaf_hash, 'hex') as hash from audit_events where leaf_hash is not null");
  const question = { after: FEED_START, limit: 100 };
  for (const page of [await leavesThrough(window, 'sealer')(all, question), await readLeaves(all, question)]) {
    assert.deepEqual(
      page.events.map(({ position }) => position.id),
      ids,
    );
    const alone = page.events.flatMap(({ position, leaf_hash }) => (leaf_hash === null ? [] : [[position.id, leaf_hash]]));
    assert.deepEqual(Object.fromEntries(alone), Object.fromEntries(hashes.rows.map(({ id, hash }) => [id, hash])));
  }
  const { events } = await readFeed(all, question);
  assert.deepEqual(withTimes((await readThrough(window, 'whole')(all, question)).events), events);
  const interest = selectEventTypes(['action.allowed']);
  const few = await readThrough(window, 'few')(all, { ...question, limit: 9, interest });
  assert.deepEqual([withTimes(few.events), few.isFull, few.reached], [events.slice(0, 9), true, events[8]?.position]);

  await owner.query('delete from audit_events where id = $1', [ids[3]]);
  const left = await readThrough(window, 'few')(all, { ...question, limit: 9, interest });
  assert.deepEqual(
    [withTimes(left.events), left.reached],
    [events.slice(0, 9).filter(({ event }) => event.id !== ids[3]), events[8]?.position],
  );
});

test("returns what follows a consumer's own position behind, ahead of or outside the window", async () => {
  const window = newFeedWindow();
  const ids = await write(40);
  await waitUntil('they are settled', () => isSettled(ids.length));
  const { events } = await readFeed(all, { after: FEED_START, limit: 100 });
  const at = (n: number): FeedPosition => events[n]?.position ?? FEED_START;
  const ask = async (consumer: string, n: number, limit = 3) =>
    getIds((await readThrough(window, consumer)(all, { after: at(n), limit })).events);
  assert.deepEqual(await ask('a', 19), ids.slice(20, 23));
  assert.deepEqual(await ask('b', 4), ids.slice(5, 8));
  assert.deepEqual(await ask('a', 22), ids.slice(23, 26));
  assert.deepEqual(await ask('b', 30), ids.slice(31, 34));
  assert.deepEqual(await ask('a', 0), ids.slice(1, 4));
  window.forget();
  assert.deepEqual(await ask('a', 36, 9), ids.slice(37));
});

test('lets a consumer far ahead read by itself, so that the window holds at most two reads', async () => {
  const window = newFeedWindow();
  const count = 2.5 * LIMITS.feed.readAtOnceMax;
  await write(count);
  await waitUntil('they are settled', async () => (await readFeed(all, { after: FEED_START, limit: 1 })).reached.id !== '');
  await window.leavesAfter(all, 'behind', FEED_START, 1);
  let after: FeedPosition = FEED_START;
  /** Counts the events from the window until it falls back to a direct read. */
  const walk = async (): Promise<number> => {
    for (let told = 0; ; ) {
      const page = await window.leavesAfter(all, 'ahead', after, 500);
      told += page?.events.length ?? 0;
      if (page === undefined || (page.events.length === 0 && !page.isFull)) return told;
      after = page.reached;
    }
  };
  const held = await walk();
  assert.ok(held >= LIMITS.feed.readAtOnceMax && held <= 2 * LIMITS.feed.readAtOnceMax, `${held} were handed out`);
  assert.equal(await walk(), 0);
  window.leave('behind');
  assert.equal(held + (await walk()), count);
});

test('bounds a whole read by its size, returns at least one event, and continues after it', async () => {
  const large = JSON.stringify({ text: 'x'.repeat(100_000) });
  const ids = [...(await write(2)), ...(await write(200, { data: large })), ...(await write(2))];
  await waitUntil(
    'they are settled',
    async () => (await readLeaves(all, { after: FEED_START, limit: 1_000 })).events.length === ids.length,
  );
  const { events: leaves } = await readLeaves(all, { after: FEED_START, limit: 1_000 });
  const atOnce = Math.ceil(LIMITS.audit.feedBytesMax / 100_000);
  const told: string[] = [];
  for (let from = 0; from < leaves.length; ) {
    const { events, count } = await readWhole(all, leaves.slice(from));
    assert.ok(count >= 1 && count <= atOnce + 3, `${count} at once`);
    told.push(...getIds(events));
    from += count;
  }
  assert.deepEqual(told, ids);
  await owner.query('delete from audit_events where id = any ($1)', [ids.slice(-3)]);
  assert.deepEqual(await readWhole(all, leaves.slice(-3)), { events: [], count: 3 });
});

test('reads an event with a separator in its type, and those next to it', async () => {
  const ids = [...(await write(2)), ...(await write(1, { type: 'a\u001fb\u001ec' })), ...(await write(2))];
  await waitUntil('they are settled', () => isSettled(ids.length));
  const { events, isFull } = await readLeaves(all, { after: FEED_START, limit: 10 });
  assert.deepEqual(
    events.map(({ position, type }) => [position.id, type]),
    ids.map((id, n) => [id, n === 2 ? 'a\u001fb\u001ec' : 'action.allowed']),
  );
  assert.equal(isFull, false);
});
