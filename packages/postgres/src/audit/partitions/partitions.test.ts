import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { FEED_START, readFeed } from '../read-feed.ts';
import { countPartitionsAhead } from './count-partitions-ahead.ts';
import { makePartitions } from './make-partitions.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let identity: Database;
let reader: Database;
const open = (role: 'svc_identity' | 'svc_reader'): Database =>
  connect({ url: fresh.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 10_000 });
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  [identity, reader] = [open('svc_identity'), open('svc_reader')];
});
after(async () => {
  await Promise.all([identity.destroy(), reader.destroy(), owner.end()]);
  await fresh.drop();
});

const write = (client: pg.Client, id: string, occurredAt: string = new Date().toISOString(), data = '{}') =>
  client.query(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     values ('org_1', $1, 'action.allowed', $2, 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', $3)`,
    [id, occurredAt, data],
  );

const readPartition = async (id: string): Promise<string> =>
  (await owner.query('select tableoid::regclass::text as name from audit_events where id = $1', [id])).rows[0]?.name;

type Partition = { readonly called: string; readonly first_id: string | null; readonly beyond_id: string };
const partitions = async (): Promise<Partition[]> => (await owner.query<Partition>('select * from svc_audit_partitions()')).rows;

/** Simulates that the last ones were not created yet. */
const dropNewest = async (count: number): Promise<void> => {
  for (const { called } of (await partitions()).slice(-count)) await owner.query(`drop table ${called}`);
};

/** Returns a moment in the month that is so many away. */
const inMonth = (away: number): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + away, 15);
};

test('has partitions for the past, this month and the next three, without a gap, with all indexes and no grants', async () => {
  const there = await partitions();
  assert.equal(there.length, 4);
  assert.equal(there[0]?.first_id, null);
  assert.deepEqual(
    there.slice(1).map(({ first_id }) => first_id),
    there.slice(0, -1).map(({ beyond_id }) => beyond_id),
  );
  for (const away of [-40, 0, 1, 2, 3]) {
    const id = `evt_${newUlid(inMonth(away))}`;
    await write(owner, id);
    assert.equal(await readPartition(id), there[Math.max(0, away)]?.called);
  }
  const { rows } = await owner.query(
    `select c.relname, c.relrowsecurity and c.relforcerowsecurity as guarded, c.reloptions is not null as cleaned,
            (select count(*)::int from pg_index x where x.indrelid = c.oid) as indexes,
            (select count(*)::int from aclexplode(c.relacl) a where a.grantee <> c.relowner)
              + (select count(*)::int from pg_attribute a, aclexplode(a.attacl) x where a.attrelid = c.oid and x.grantee <> c.relowner) as given,
            (select array_agg(p.polname::text) from pg_policy p where p.polrelid = c.oid) as policies
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_events'::regclass`,
  );
  const indexes = (await owner.query("select count(*)::int as n from pg_index where indrelid = 'audit_events'::regclass")).rows[0].n;
  assert.equal(rows.length, 5);
  for (const { relname, ...rest } of rows)
    assert.deepEqual(rest, { guarded: true, cleaned: true, indexes, given: 0, policies: ['read_by_the_owner'] }, relname);
  for (const database of [identity, reader])
    await assert.rejects(
      database
        .selectFrom('audit_events_first' as 'audit_events')
        .selectAll()
        .execute(),
      { code: '42501' },
    );
});

test('records an event of a month without a partition, and returns it once and in order before and after the month is created', async () => {
  await dropNewest(2);
  const ids = [newUlid(inMonth(2)), newUlid(inMonth(3)), newUlid(inMonth(900))].map((ulid) => `evt_${ulid}`);
  for (const id of ids) await write(owner, id);
  const told = async (): Promise<string[]> =>
    (await readFeed(reader, { after: FEED_START, limit: 100 })).events.map(({ event }) => event.id);
  await waitUntil('the feed tells the three', async () => (await told()).filter((id) => ids.includes(id)).length === 3);
  const first = await told();
  assert.deepEqual(await Promise.all(ids.map(readPartition)), Array(3).fill('audit_events_default'));
  assert.equal(await makePartitions(identity), 2);
  const names = (await partitions()).map(({ called }) => called);
  assert.deepEqual(await Promise.all(ids.map(readPartition)), [names[2], names[3], 'audit_events_default']);
  assert.deepEqual(await told(), first);
  assert.equal(await makePartitions(identity), 0);
});

test('counts months created ahead at any time, and records events of one that began without its partition', async () => {
  assert.equal(await makePartitions(identity), 0);
  assert.deepEqual(await Promise.all([0, 1, 2, 3, 4].map((away) => countPartitionsAhead(reader, inMonth(away)))), [3, 2, 1, 0, 0]);
  await dropNewest(3);
  assert.equal(await countPartitionsAhead(reader, inMonth(0)), 0);
  // The first moment of the next month, after a time without a worker.
  const now = new Date();
  const began = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const id = `evt_${newUlid(began)}`;
  await write(owner, id, new Date(began).toISOString());
  assert.equal(await readPartition(id), 'audit_events_default');
  assert.equal(await makePartitions(identity), 3);
  assert.equal(await countPartitionsAhead(reader, inMonth(0)), 3);
  assert.equal(await readPartition(id), (await partitions())[1]?.called);
});

test('creates each month once, run twice concurrently', async () => {
  await dropNewest(3);
  const made = await Promise.all([makePartitions(identity), makePartitions(identity)]);
  assert.equal((await partitions()).length, 4);
  assert.deepEqual(made.sort(), [0, 3]);
});

test('postpones a month while a reader has all partitions, and blocks no writer', async () => {
  await dropNewest(1);
  const other = await fresh.client();
  await other.query('begin; select count(*) from audit_events');
  const making = makePartitions(identity);
  const ids = Array.from({ length: 20 }, () => `evt_${newUlid()}`);
  for (const id of ids) await write(owner, id);
  await assert.rejects(making, { code: '55P03' });
  assert.equal((await partitions()).length, 3);
  await other.query('commit');
  await other.end();
  assert.equal(await makePartitions(identity), 1);
});

test('puts unreadable rows into no partition, and creates partitions around existing ones', async () => {
  await dropNewest(1);
  assert.equal(await makePartitions(identity), 1);
  const large = JSON.stringify({ a: 'x'.repeat(16_777_216) });
  const refused = { code: '23514' };
  for (const away of [-40, 0, 3, 950]) {
    const next = () => `evt_${newUlid(inMonth(away))}`;
    for (const at of ['290000-01-01', '10000-01-01', '1999-12-31', '4000-01-01 BC', 'infinity', '-infinity'])
      await assert.rejects(write(owner, next(), at), refused, `${away} ${at}`);
    await assert.rejects(write(owner, next(), undefined, large), refused, `${away}`);
    for (const at of ['2000-01-01', '9999-12-31 23:59:59']) await write(owner, next(), at);
  }
  await dropNewest(1);
  const YEAR = 'audit_events_are_of_a_year_that_clocks_tell';
  const { rows } = await owner.query<{ said: string }>(
    "select pg_get_constraintdef(oid) as said from pg_constraint where conrelid = 'audit_events_default'::regclass and conname = $1",
    [YEAR],
  );
  await owner.query(`alter table audit_events_default drop constraint ${YEAR}`);
  await write(owner, `evt_${newUlid(inMonth(3))}`, '290000-01-01');
  await owner.query(`alter table audit_events_default add constraint ${YEAR} ${rows[0]?.said}`);
  assert.equal(await makePartitions(identity), 1);
});

test('leaves a month with very many stray rows, and creates the next ones', async () => {
  await dropNewest(3);
  await owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     select 'org_2', svc_first_id('evt', svc_month(1)) || lpad(n::text, 16, '0'), 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}'
       from generate_series(1, 10001) n`,
  );
  assert.equal(await makePartitions(identity), 2);
  assert.equal((await partitions()).length, 3);
  assert.equal((await owner.query("select count(*)::int as n from audit_events where organization_id = 'org_2'")).rows[0].n, 10_001);
  assert.equal(await makePartitions(identity), 0);
});
