import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import { computeRoot, EMPTY_TREE, growTree, leafHash } from '@svc/keyring/log/merkle.ts';
import { openCheckpoint } from '@svc/keyring/log/signed-note.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_AUTHENTICATOR, TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { authenticateEvents } from '@svc/testing/events/authenticate-events.ts';
import { longOnly } from '@svc/testing/length/test-length.ts';
import { getPlaneEnvironment } from '@svc/testing/planes/start-planes.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import canonicalize from 'canonicalize';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import type { Sealer } from '../sealing/grow.ts';
import { newFeedMeter } from './feed-meter.ts';
import { type RunningConsumers, runConsumers } from './run-consumers.ts';
import { newSealing } from './seal-events.ts';

const key = generateKeyPairSync('ed25519');
const sealer = { installationId: 'tests', signingKey: key.privateKey, acceptedKeys: [key.publicKey], renewKeys: async () => false };

let database: FreshDatabase;
let owner: pg.Client;
let reader: Database;
let workers: RunningProcess[] = [];
let running: RunningConsumers | undefined;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  reader = connect({ url: database.url, role: 'svc_reader', ...testLogin('svc_reader'), connectionsMax: 1, timeoutMs: 20_000 });
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all(workers.map(({ stop }) => stop()));
  workers = [];
});
after(async () => {
  await reader.destroy();
  await owner.end();
  await database.drop();
});

const fresh = () =>
  owner.query(
    'truncate audit_leaves, audit_tiles, audit_trees, audit_checkpoints, audit_events, audit_rejected_events, audit_rejections; delete from feed_positions',
  );

let written = 0;
const insert = async (count: number, organization: string, client = owner): Promise<void> => {
  written += 1;
  await client.query(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     select $1, 'evt_' || upper(left(md5($2 || '-' || n), 26)), 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_' || n, 'info', 'req_1', 't',
            json_build_object('tool', 'pay', 'amount', n * 1.5) from generate_series(1, $3::int) n`,
    [organization, written, count],
  );
};

const write = (count: number, organization: string, client = owner): Promise<void> =>
  authenticateEvents(client, () => insert(count, organization, client));

let putBack = (): number => 0;
const run = (lines: string[] = [], by: Sealer = sealer): RunningConsumers => {
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  const meter = newFeedMeter(['seal-events'], Date.now);
  putBack = () => meter.metrics.find(({ name }) => name === 'svc_feed_put_back_total')?.samples()[0]?.value ?? 0;
  running = runConsumers({ database: reader, log, meter }, [newSealing(by, log)]);
  return running;
};

const leafCount = async (): Promise<number> => (await owner.query('select count(*)::int as n from audit_leaves')).rows[0].n;

const getLeaf = (told: unknown): Buffer => leafHash(canonicalize(told) ?? '');

type Sealed = { readonly organization_id: string; readonly ids: string[]; readonly hashes: Buffer[] };

/** Asserts that every tree has each event of its organization once, in feed order, under the signed root. */
const assertWhole = async (keys = [key.publicKey]): Promise<void> => {
  const { rows } = await owner.query<Sealed>(
    `select organization_id, array_agg(event_id order by leaf_index) as ids, array_agg(leaf_hash order by leaf_index) as hashes
       from audit_leaves group by 1`,
  );
  for (const { organization_id, ids, hashes } of rows) {
    const events = await owner.query('select * from audit_events where organization_id = $1 order by transaction_id, id', [
      organization_id,
    ]);
    assert.deepEqual(
      ids,
      events.rows.map(({ id }) => id),
    );
    const said = events.rows.map(
      ({ actor_type, actor_id, actor_name, subject_type, subject_id, occurred_at, transaction_id: _, leaf_hash, mac: __, ...row }) =>
        leaf_hash ??
        getLeaf({
          ...row,
          occurred_at: occurred_at.toISOString(),
          actor: { type: actor_type, id: actor_id, name: actor_name },
          subject: { type: subject_type, id: subject_id },
        }),
    );
    assert.deepEqual(hashes, said);
    const trees = await owner.query('select size, root_hash, checkpoint from audit_trees where organization_id = $1', [organization_id]);
    const root = computeRoot(growTree(EMPTY_TREE, hashes));
    assert.deepEqual(openCheckpoint(trees.rows[0].checkpoint, keys)?.root, root);
    assert.deepEqual(trees.rows[0].root_hash, root);
    assert.equal(Number(trees.rows[0].size), ids.length);
  }
};

test('seals the leaf that the writer of an event stated, among events without one', async () => {
  await fresh();
  await write(300, 'org_0');
  await write(300, 'org_1');
  const { rows: said } = await owner.query<{ organization_id: string; id: string; hash: string }>(
    "select organization_id, id, encode(sha256(id::bytea), 'hex') as hash from audit_events where ascii(right(id, 1)) % 2 = 0",
  );
  await owner.query(
    `update audit_events e set leaf_hash = sha256(e.id::bytea), mac = decode(said.mac, 'hex')
       from unnest($1::text[], $2::text[]) as said (id, mac) where e.id = said.id`,
    [said.map(({ id }) => id), said.map(({ organization_id, id, hash }) => TEST_AUTHENTICATOR.mac(organization_id, id, hash))],
  );
  run();
  await waitUntil('all are sealed', async () => (await leafCount()) === 600);
  await assertWhole();
  const { rows } = await owner.query(
    'select count(*)::int as n from audit_leaves l join audit_events e on e.id = l.event_id where l.leaf_hash = sha256(e.id::bytea)',
  );
  assert.ok(rows[0].n > 100 && rows[0].n < 500, `${rows[0].n} were said`);
});

test('an identifier that contains the separator of identifiers is a separate leaf, and so are its neighbours', async () => {
  await fresh();
  const odd = ['a\u001f', 'b\u001f1', 'c\u001f0\u001e', '\u001fd'];
  await authenticateEvents(owner, async () => {
    await insert(6, 'org_0');
    await owner.query(
      "update audit_events e set id = odd.id from unnest($1::text[]) with ordinality as odd (id, n) where e.subject_id = 'act_' || odd.n",
      [odd],
    );
  });
  run();
  await waitUntil('all are sealed', async () => (await leafCount()) === 6);
  await assertWhole();
  const { rows } = await owner.query('select event_id from audit_leaves where event_id = any ($1)', [odd]);
  assert.equal(rows.length, odd.length);
});

test('every event becomes a leaf of the tree of its organization, once and in feed order, under a signed root', async () => {
  await fresh();
  run();
  for (let round = 0; round < 12; round += 1) await write(1 + ((round * 97) % 400), `org_${round % 3}`);
  const { rows } = await owner.query('select count(*)::int as n from audit_events');
  await waitUntil('all are sealed', async () => (await leafCount()) === rows[0].n);
  await assertWhole();
  const { rows: kept } = await owner.query('select organization_id, count(*)::int as n from audit_checkpoints group by 1 order by 1');
  assert.deepEqual(
    kept,
    [0, 1, 2].map((n) => ({ organization_id: `org_${n}`, n: 1 })),
  );
});

test('a tree that another worker signed with a newer key is accepted: keys are read again before it is held', async () => {
  await fresh();
  const next = generateKeyPairSync('ed25519');
  run([], { ...sealer, signingKey: next.privateKey });
  await write(3, 'org_1');
  await waitUntil('the other has sealed', async () => (await leafCount()) === 3);
  await running?.stop();
  let acceptedKeys = [key.publicKey];
  const renewKeys = async () => {
    const known = acceptedKeys.length;
    acceptedKeys = [key.publicKey, next.publicKey];
    return known < acceptedKeys.length;
  };
  const lines: string[] = [];
  run(lines, {
    ...{ installationId: sealer.installationId, signingKey: key.privateKey, renewKeys },
    get acceptedKeys() {
      return acceptedKeys;
    },
  });
  await write(2, 'org_1');
  await waitUntil('it goes on', async () => (await leafCount()) === 5 || lines.length > 0);
  assert.deepEqual(lines, []);
  await assertWhole();
});

test('half of the events are sealed within two seconds after they are written', async () => {
  await fresh();
  run();
  const took: number[] = [];
  for (let n = 1; n <= 9; n += 1) {
    await write(1, 'org_1');
    await waitUntil('it is sealed', async () => (await leafCount()) === n);
    const { rows } = await owner.query(
      'select extract(epoch from sealed_at - (select max(occurred_at) from audit_events)) * 1000 as ms from audit_trees',
    );
    took.push(Number(rows[0].ms));
  }
  const median = took.toSorted((a, b) => a - b)[4] ?? Number.NaN;
  assert.ok(median >= 0 && median < 2_000, `${took.map(Math.round)} ms`);
});

test('events repeated by a restored backup are leaves once', async () => {
  await fresh();
  await write(30, 'org_1');
  await run().stop();
  run();
  await waitUntil('they are sealed', async () => (await leafCount()) === 30);
  await running?.stop();
  await owner.query("update audit_events set transaction_id = '0'; update feed_positions set transaction_id = '0', id = ''");
  await write(5, 'org_1');
  run();
  await waitUntil('the new ones are sealed', async () => (await leafCount()) === 35);
  await assertWhole();
});

/** Asserts that each event is one leaf of a signed tree. */
const assertSealed = async (count: number): Promise<void> => {
  const { rows } = await owner.query(
    `select count(*)::int as events, count(l.event_id)::int as leaves, (select sum(size)::int from audit_trees) as size
       from audit_events e left join audit_leaves l on l.organization_id = e.organization_id and l.event_id = e.id`,
  );
  assert.deepEqual(rows, [{ events: count, leaves: count, size: count }]);
};

const jump = async (ahead: number): Promise<void> => {
  const pool = sql`update feed_positions set transaction_id = (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${ahead}::bigint)::text::xid8, id = ''
    where consumer = 'seal-events'`;
  await pool.execute(reader);
};

/** Moves the sealer's position past the owner's open transaction. */
const passOver = async (): Promise<void> => {
  const { rows } = await owner.query<{ id: string }>('select pg_current_xact_id()::text as id');
  const next = (BigInt(rows[0]?.id ?? '0') + 1n).toString();
  await sql`update feed_positions set transaction_id = ${next}::xid8, id = '' where consumer = 'seal-events'`.execute(reader);
};

/** Transactions in other databases of the server delay settling, and only settled events can be skipped. */
const settled = (): Promise<unknown> =>
  waitUntil('what was written is settled', async () => {
    const { rows } = await owner.query<{ is: boolean }>(
      'select coalesce(max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()), true) as is from audit_events',
    );
    return rows[0]?.is === true;
  });

test('events that a moved sealer position skips are sealed, and reported', async () => {
  await fresh();
  const lines: string[] = [];
  run(lines);
  for (const organization of ['org_1', 'org_2']) await write(10, organization);
  await waitUntil('all are sealed', async () => (await leafCount()) === 20);
  // The first write holds its transaction open until the position is ahead of it, independent of the server's load.
  await owner.query('begin');
  await write(2, 'org_1');
  await passOver();
  await owner.query('commit');
  for (let n = 1; n < 8; n += 1) await write(2, `org_${1 + (n % 2)}`);
  await waitUntil('those are sealed behind which it was put ahead', async () => (await leafCount()) === 36);
  await waitUntil('it is told', () => lines.length === 1 && putBack() === 1);
  assert.match(lines[0] ?? '', /was ahead of unsealed events/);
  await assertSealed(36);
});

test('events skipped while no worker ran are sealed by the next, and a held log is left alone', async () => {
  await fresh();
  run();
  for (const organization of ['org_1', 'org_2', 'org_3']) await write(5, organization);
  await waitUntil('all are sealed', async () => (await leafCount()) === 15);
  await running?.stop();
  for (let n = 0; n < 4; n += 1) await write(3, `org_${1 + (n % 3)}`);
  await settled();
  await jump(0);
  const lines: string[] = [];
  await owner.query("update audit_trees set held_since = now() where organization_id = 'org_3'");
  run(lines);
  await waitUntil('they are sealed', async () => (await leafCount()) === 24);
  assert.deepEqual([lines.length, putBack()], [1, 1]);
  await running?.stop();
  const silent: string[] = [];
  run(silent);
  await write(1, 'org_1');
  await waitUntil('it goes on', async () => (await leafCount()) === 25);
  assert.deepEqual([silent, putBack()], [[], 0]);
});

test('events repeated after the sealer position moved back are leaves once, also in a running worker', async () => {
  await fresh();
  const lines: string[] = [];
  run(lines);
  for (const organization of ['org_1', 'org_2']) await write(10, organization);
  await waitUntil('all are sealed', async () => (await leafCount()) === 20);
  await owner.query(
    "update feed_positions set transaction_id = (select min(transaction_id) from audit_events), id = '' where consumer = 'seal-events'",
  );
  await write(3, 'org_2');
  await waitUntil('the new ones are sealed', async () => (await leafCount()) === 23);
  await assertWhole();
  assert.deepEqual([lines, putBack()], [[], 0]);
});

const rejections = async () =>
  (await owner.query('select organization_id as id, rejected::int from audit_rejections order by 1')).rows.map(({ id, rejected }) => [
    id,
    rejected,
  ]);

test('events that the service did not write are skipped and reported once, in any number, and the others continue', async () => {
  await fresh();
  const lines: string[] = [];
  run(lines);
  await write(10, 'org_1');
  await insert(20_000, 'org_1');
  await insert(1, 'org_2');
  for (const organization of ['org_1', 'org_2']) await write(10, organization);
  await waitUntil('the genuine ones are sealed', async () => (await leafCount()) === 30);
  await waitUntil('the others are rejected', async () => (await rejections()).length === 2);
  assert.deepEqual(await rejections(), [
    ['org_1', 20_000],
    ['org_2', 1],
  ]);
  assert.ok(lines.length > 0 && lines.length < 20, `${lines.length} lines`);
  for (const line of lines) assert.match(line, /were not written by the service/);
  assert.ok((lines[0] ?? '').length < 2_000);
  await running?.stop();
  const silent: string[] = [];
  run(silent);
  await write(1, 'org_1');
  await waitUntil('the next worker goes on', async () => (await leafCount()) === 31);
  assert.deepEqual([silent, putBack()], [[], 0]);
});

test('an event that was changed between its writing and its sealing is rejected, unless its writer stated its leaf', async () => {
  await fresh();
  await write(3, 'org_1');
  await owner.query("update audit_events set severity = 'critical' where subject_id = 'act_2'");
  run();
  await waitUntil('the others are sealed', async () => (await leafCount()) === 2);
  await waitUntil('it is rejected', async () => (await rejections()).length === 1);
});

test('a sealed event that is deleted and restored is a leaf once and does not hold the log', async () => {
  await fresh();
  const lines: string[] = [];
  run(lines);
  await write(10, 'org_1');
  await waitUntil('all are sealed', async () => (await leafCount()) === 10);
  await owner.query("create table taken as select * from audit_events where subject_id = 'act_4'");
  await owner.query("delete from audit_events where subject_id = 'act_4'");
  await owner.query('alter table taken drop column transaction_id');
  const { rows: columns } = await owner.query(
    "select string_agg(quote_ident(attname), ',') as names from pg_attribute where attrelid = 'taken'::regclass and attnum > 0 and not attisdropped",
  );
  await owner.query(`insert into audit_events (${columns[0].names}) select ${columns[0].names} from taken; drop table taken`);
  await write(5, 'org_1');
  await waitUntil('the new ones are sealed', async () => (await leafCount()) === 15);
  const { rows } = await owner.query('select size::int, held_since from audit_trees');
  assert.deepEqual(rows, [{ size: 15, held_since: null }]);
  assert.deepEqual(await rejections(), []);
});

test('nothing is signed on a changed tree, and other organizations continue', async () => {
  await fresh();
  const lines: string[] = [];
  run(lines);
  for (const organization of ['org_1', 'org_2']) await write(10, organization);
  await waitUntil('all are sealed', async () => (await leafCount()) === 20);
  const before = await owner.query("select checkpoint from audit_trees where organization_id = 'org_1'");
  await owner.query("update audit_trees set edge = overlay(edge placing '\\x00' from 3) where organization_id = 'org_1'");
  for (const organization of ['org_1', 'org_2']) await write(3, organization);
  await waitUntil('the other is sealed', async () => (await leafCount()) === 23);
  await waitUntil('it is told', () => lines.length > 0);
  assert.match(lines[0] ?? '', /"organization_id":"org_1".*does not match the signed log/);
  const { rows } = await owner.query("select checkpoint, held_since is not null as held from audit_trees where organization_id = 'org_1'");
  assert.deepEqual(rows, [{ checkpoint: before.rows[0].checkpoint, held: true }]);
});

test('an organization whose leaves the database refuses is held alone, with or without a tree', async () => {
  await fresh();
  const lines: string[] = [];
  run(lines);
  await write(10, 'org_1');
  await waitUntil('it is sealed', async () => (await leafCount()) === 10);
  await owner.query(
    `insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash)
     select o, i, 'evt_forged', '\\x00' from (values ('org_1', 10), ('org_2', 0)) as forged (o, i)`,
  );
  for (const organization of ['org_1', 'org_2', 'org_3']) await write(3, organization);
  const trees = async () =>
    (await owner.query('select organization_id as id, size::int, held_since is not null as held from audit_trees order by 1')).rows;
  const expected = [
    { id: 'org_1', size: 10, held: true },
    { id: 'org_2', size: 0, held: true },
    { id: 'org_3', size: 3, held: false },
  ];
  await waitUntil('the third is sealed', async () => (await trees()).length === 3);
  assert.deepEqual(await trees(), expected);
  assert.equal(lines.filter((line) => /its events are skipped/.test(line)).length, 2);
  for (const organization of ['org_1', 'org_2', 'org_3']) await write(3, organization);
  await waitUntil('it goes on', async () => (await trees())[2]?.size === 6);
  assert.deepEqual((await trees()).slice(0, 2), expected.slice(0, 2));
});

test('an event of an invalid year, and a deeply nested one, are sealed, and delay no one', async () => {
  await fresh();
  const { rows } = await owner.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_events'::regclass",
  );
  for (const { name } of rows) await owner.query(`alter table ${name} drop constraint audit_events_are_of_a_year_that_clocks_tell`);
  await authenticateEvents(owner, async () => {
    await insert(1, 'org_1');
    await owner.query("update audit_events set occurred_at = '290000-01-01'");
    await insert(1, 'org_1');
    await owner.query("update audit_events set data = $1 where occurred_at < '2100-01-01'", [
      `{"a":${'['.repeat(6_000)}${']'.repeat(6_000)}}`,
    ]);
  });
  run();
  for (const organization of ['org_1', 'org_2']) await write(10, organization);
  await waitUntil('all are sealed', async () => (await leafCount()) === 22);
});

test('two workers that are killed in turn while they write leave each event sealed once, within two quiet seconds', longOnly, async () => {
  await fresh();
  const env = { ...getPlaneEnvironment(database), SVC_MASTER_KEY: TEST_MASTER_KEY };
  const start = () => startProcess('apps/worker/src/main.ts', env);
  workers = await Promise.all([start(), start()]);
  const writers = await Promise.all([database.client(), database.client()]);
  let count = 0;
  const writing = Promise.all(
    writers.map(async (client, n) => {
      for (let round = 0; round < 60; round += 1) {
        await write(40, `org_${(round + n) % 4}`, client);
        count += 40;
      }
    }),
  );
  for (let kill = 0; kill < 2; kill += 1) {
    const before = await leafCount();
    await waitUntil('something more is sealed', async () => (await leafCount()) > before || count === 4_800);
    workers[kill]?.child.kill('SIGKILL');
    workers.push(await start());
  }
  await writing;
  await Promise.all(writers.map((client) => client.end()));
  await waitUntil('all are sealed', async () => (await leafCount()) === 4_800);
  const { rows } = await owner.query('select public_key from platform_keys');
  const { createPublicKey } = await import('node:crypto');
  const platformKey = createPublicKey({ key: Buffer.from(rows[0].public_key, 'base64'), format: 'der', type: 'spki' });
  await assertWhole([platformKey]);
});
