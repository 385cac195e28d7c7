import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { connect, DATABASE_ROLES, type Database } from '../connection/connect.ts';
import { readInTenant } from '../connection/in-tenant.ts';
import { FEED_START, type FeedPosition, readFeed, selectEventTypes } from './read-feed.ts';

let fresh: FreshDatabase;
let all: Database;
let clients: pg.Client[] = [];
let asked: CompiledQuery | undefined;
before(async () => {
  fresh = await createFreshDatabase();
  all = new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: fresh.url, max: 2 }) }),
    log: ({ query }) => {
      asked = query;
    },
  });
});
beforeEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  clients = await Promise.all(Array.from({ length: 8 }, fresh.client));
  await clients[0]?.query('delete from audit_events');
});
after(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await all.destroy();
  await fresh.drop();
});

/** The most rows that any step of a page of ten visits, as the database itself counts them. */
const visited = async (start: FeedPosition): Promise<number> => {
  await readFeed(all, { after: start, limit: 10 });
  assert.ok(asked);
  const { rows } = await clientAt(0).query<{ 'QUERY PLAN': string }>(`explain (analyze, costs off, timing off) ${asked.sql}`, [
    ...asked.parameters,
  ]);
  const text = rows.map((row) => row['QUERY PLAN']).join('\n');
  return Math.max(...[...text.matchAll(/(?:actual rows=|Rows Removed by Filter: )(\d+)/g)].map(([, n]) => Number(n)));
};

const clientAt = (n: number): pg.Client => clients[n] as pg.Client;

const COLUMNS =
  'organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data';
const write = (client: pg.Client, id: string, organization = 'org_1') =>
  client.query(
    `insert into audit_events (${COLUMNS}, mac) values ($1, $2, 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}', '\\x00')`,
    [organization, id],
  );

/** Reads on from `after` in small pages until there is nothing more at present. */
const readOn = async (start: FeedPosition, limit = 7): Promise<{ readonly ids: string[]; readonly reached: FeedPosition }> => {
  const ids: string[] = [];
  let reached = start;
  for (;;) {
    const page = await readFeed(all, { after: reached, limit });
    assert.ok(page.events.length <= limit);
    ids.push(...page.events.map(({ event }) => event.id));
    reached = page.reached;
    if (!page.isFull) return { ids, reached };
  }
};

/** The same until there is a given number: other databases of the server delay the feed as well. */
const readAll = async (start: FeedPosition, count: number, limit = 7): Promise<string[]> => {
  const ids: string[] = [];
  let reached = start;
  for (const until = Date.now() + 60_000; ids.length < count && Date.now() < until; await sleep(10)) {
    const more = await readOn(reached, limit);
    ids.push(...more.ids);
    reached = more.reached;
  }
  return ids;
};

test('orders an event by the start of its transaction, even if another was committed and read before', async () => {
  const [first, second] = [clientAt(0), clientAt(1)];
  await first.query('begin');
  await write(first, 'evt_9');
  await second.query('begin');
  await write(second, 'evt_1');
  await second.query('commit');
  const early = await readOn(FEED_START);
  assert.deepEqual(early.ids, []);
  await first.query('commit');
  assert.deepEqual(await readAll(early.reached, 2), ['evt_9', 'evt_1']);
});

test('delays the feed for a long transaction and misses nothing, committed or rolled back', async () => {
  for (const end of ['commit', 'rollback']) {
    const [long, short] = [clientAt(0), clientAt(1)];
    const { reached } = await readOn(FEED_START);
    await write(short, `evt_${end}_0`);
    await long.query('begin');
    await write(long, `evt_${end}_5`);
    for (const n of [1, 2, 9]) await write(short, `evt_${end}_${n}`);
    await long.query('savepoint within');
    await write(long, `evt_${end}_6`);
    const held = await readAll(reached, 1);
    assert.deepEqual(held, [`evt_${end}_0`]);
    await long.query(end);
    const kept = end === 'commit' ? [5, 6] : [];
    assert.deepEqual(
      await readAll(reached, 4 + kept.length),
      [0, ...kept, 1, 2, 9].map((n) => `evt_${end}_${n}`),
    );
  }
});

test('returns every committed event once, in the order of transactions, and no rolled back one, under many writers', async () => {
  const { reached } = await readOn(FEED_START);
  let written = 0;
  const committed = new Set<string>();
  const writer = async (client: pg.Client, n: number): Promise<void> => {
    for (let round = 0; round < 25; round += 1) {
      const ids = Array.from({ length: 1 + (round % 4) }, () => `evt_${String((written++ * 7_919) % 100_003).padStart(6, '0')}`);
      const isKept = (round + n) % 5 !== 0;
      await client.query('begin');
      for (const id of ids) await write(client, id, `org_${n % 3}`);
      await sleep((round * 7 + n * 3) % 11);
      await client.query(isKept ? 'commit' : 'rollback');
      if (isKept) for (const id of ids) committed.add(id);
    }
  };
  let isOver = false;
  const writing = Promise.all(clients.slice(1).map(writer)).finally(() => {
    isOver = true;
  });
  const seen: string[] = [];
  let at = reached;
  for (const until = Date.now() + 60_000; Date.now() < until && !(isOver && seen.length >= committed.size); await sleep(3)) {
    const more = await readOn(at, 5);
    seen.push(...more.ids);
    at = more.reached;
  }
  await writing;
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual([...seen].sort(), [...committed].sort());
  const { rows } = await clientAt(0).query<{ id: string }>('select id from audit_events order by transaction_id, id');
  assert.deepEqual(
    seen,
    rows.map(({ id }) => id),
  );
});

test('returns events from before transactions were counted first by their ids, and reads no more per step than it returns', async () => {
  const owner = clientAt(0);
  await owner.query(
    `insert into audit_events (${COLUMNS}, transaction_id)
     select 'org_' || n % 3, 'evt_' || lpad(n::text, 6, '0'), 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}', '0'
       from generate_series(1, 4000) n`,
  );
  for (let n = 0; n < 40; n += 1)
    await owner.query(
      `insert into audit_events (${COLUMNS}) select 'org_1', 'evt_' || lpad((90000 - ${n} * 100 + n)::text, 6, '0'), 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}'
        from generate_series(1, 100) n`,
    );
  await owner.query('analyze audit_events');
  const ids = await readAll({ ...FEED_START, id: 'evt_003990' }, 10 + 4_000, 150);
  assert.deepEqual(ids.slice(0, 11), [...Array.from({ length: 10 }, (_, n) => `evt_${String(3_991 + n).padStart(6, '0')}`), 'evt_090001']);
  assert.equal(ids.length, 4_010);
  for (const start of [FEED_START, { transaction_id: '0', id: 'evt_002000' }, { transaction_id: '1', id: '' }])
    assert.ok((await visited(start)) <= 210, JSON.stringify(start));
});

test('skips uninteresting events in bounded steps, and no interesting one with them', async () => {
  const owner = clientAt(0);
  const many = 2 * LIMITS.feed.passedOverMax + 500;
  const write = (from: number, to: number, type: string) =>
    owner.query(
      `insert into audit_events (${COLUMNS}) select 'org_1', 'evt_' || lpad(n::text, 6, '0'), $3, now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}'
         from generate_series($1::int, $2::int) n`,
      [from, to, type],
    );
  await write(1, 1, 'policy.updated');
  await write(2, many, 'action.allowed');
  await write(many + 1, many + 3, 'policy.updated');
  await readAll(FEED_START, many + 3, LIMITS.audit.feedEventsMax);
  const pages: [ids: string[], isFull: boolean][] = [];
  let after = FEED_START;
  for (let isFull = true; isFull; ) {
    const page = await readFeed(all, { after, interest: selectEventTypes(['policy.updated', 'policy.created']), limit: 2 });
    pages.push([page.events.map(({ event }) => event.id), page.isFull]);
    ({ reached: after, isFull } = page);
  }
  const id = (n: number) => `evt_${String(n).padStart(6, '0')}`;
  assert.deepEqual(pages, [
    [[id(1)], true],
    [[], true],
    [[id(many + 1), id(many + 2)], true],
    [[id(many + 3)], false],
  ]);
  await write(many + 4, many + 4, 'policy.created');
  assert.deepEqual(await readAll(after, 1), [id(many + 4)]);
});

test('shows a tenant its own events only', async () => {
  for (const n of [1, 2, 3, 4]) await write(clientAt(0), `evt_${n}`, `org_${n % 2}`);
  await readAll(FEED_START, 4);
  const app = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 5_000 });
  const { events: told } = await readInTenant(app, { organization_id: 'org_1' }, (tx) => readFeed(tx, { after: FEED_START, limit: 10 }));
  assert.deepEqual(
    told.map(({ event }) => event.id),
    ['evt_1', 'evt_3'],
  );
  await app.destroy();
  const { events: one } = await readFeed(all, { after: FEED_START, organizationId: 'org_0', limit: 10 });
  assert.deepEqual(
    one.map(({ event }) => event.id),
    ['evt_2', 'evt_4'],
  );
});

test('lets no role of the service set the transaction of an event', async () => {
  for (const role of DATABASE_ROLES) {
    const { user, password } = testLogin(role);
    const url = new URL(fresh.url.replace('@/', '@placeholder/'));
    const host = url.searchParams.get('host') ?? url.hostname;
    const client = new pg.Client({
      host,
      port: Number(url.searchParams.get('port') ?? url.port),
      database: url.pathname.slice(1),
      user,
      password,
    });
    await client.connect();
    await client.query("select set_config('svc.organization_id', 'org_1', false)");
    const naming = client.query(
      `insert into audit_events (${COLUMNS}, transaction_id) values ('org_1', 'evt_x', 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}', '5')`,
    );
    await assert.rejects(naming, { code: '42501' }, role);
    if (role !== 'svc_identity' && role !== 'svc_reader') await write(client, `evt_${role}`);
    await client.end();
  }
  const { rows } = await clientAt(0).query('select count(*)::int as n from audit_events where transaction_id > $1', ['100']);
  assert.equal(rows[0].n, 3);
});

test('bounds a read by the size of its events, and continues after it', async () => {
  await clientAt(0).query(
    `insert into audit_events (${COLUMNS}) select 'org_1', 'evt_' || n, 'policy.updated', now(), 'USER', 'usr_1', 'policy', 'pol_1', 'info', 'req_1', 't',
            json_build_object('rules', repeat('x', case n when 4 then 9000000 else 3000000 end)) from generate_series(1, 6) n`,
  );
  const pages: string[][] = [];
  for (let after: FeedPosition = FEED_START; pages.flat().length < 6; ) {
    const page = await readFeed(all, { after, limit: 100 });
    pages.push(page.events.map(({ event }) => event.id));
    after = page.reached;
  }
  assert.deepEqual(
    pages.filter((page) => page.length > 0),
    [['evt_1', 'evt_2', 'evt_3'], ['evt_4'], ['evt_5', 'evt_6']],
  );
});
