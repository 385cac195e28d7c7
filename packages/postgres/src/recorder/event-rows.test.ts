import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { eventRows, getEventLeaf } from '@svc/testing/records/event-rows.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { about } from '../audit/about.ts';
import { appendEvents } from '../audit/append-events.ts';
import type { EmittedEvent } from '../audit/emitted-event.ts';
import { readLeaves } from '../audit/feed-leaves.ts';
import { keepAuthentic } from '../audit/keep-authentic.ts';
import { FEED_START, type FeedEvent, readFeed } from '../audit/read-feed.ts';
import { connect, type Database } from '../connection/connect.ts';
import { inTenant } from '../connection/in-tenant.ts';
import { openPreparedConnection, type PreparedConnection } from './prepared-connection.ts';
import { newRecordBatch } from './record-batch.ts';

let database: FreshDatabase;
let owner: pg.Client;
let reader: Database;
let lane: PreparedConnection;

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  for (const text of [
    "insert into organizations (id, name) values ('org_1', 'o')",
    "insert into workspaces (organization_id, id, name, slug) values ('org_1', 'wsp_1', 'w', 'w')",
    "insert into environments (organization_id, id, workspace_id, name, type) values ('org_1', 'env_1', 'wsp_1', 'e', 'STAGING')",
    "insert into agents (organization_id, id, workspace_id, environment_id, name) values ('org_1', 'agt_1', 'wsp_1', 'env_1', 'a')",
  ])
    await owner.query(text);
  const settings = { url: database.url, connectionsMax: 1, timeoutMs: 10_000 };
  lane = openPreparedConnection({ ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') });
  reader = connect({ ...settings, role: 'svc_reader', ...testLogin('svc_reader') });
});
after(async () => {
  await Promise.all([lane.close(), reader.destroy(), owner.end()]);
  await database.drop();
});

/** Names and data that JSON, the database or a canonical form could each write otherwise. */
const NAMES = [
  null,
  '',
  'Zoë "the" agent\\',
  'a\u0001b\u001e\u001fc',
  '😀 \u2028',
  'e\u0301',
  'key_live sk_live_51H8xAbCdEfGhIjKlMnOpQrStUv',
  'C:\\udir',
];
const DATA: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { tool: 'refund.create', decision: 'ALLOW', code: null },
  { z: 1, a: { y: [1.5, -0, 1e21, 1e-7, 123456789012345680000, 5e-324], b: null }, '10': 1, '9': 2, '': 3 },
  { text: '😀é\u0007"\\/\u2028', token: 'Bearer abcdefghijklmnopqrstuvwxyz0123456789' },
  { note: 'half \ud83d of a letter' },
  { left: undefined, list: [undefined, true, [], {}] },
];

const decision = (n: number, name: string | null, data: Readonly<Record<string, unknown>>, created_at: string): DecisionRecord => ({
  action: {
    ...{ organization_id: 'org_1', id: `act_${n}`, environment_id: 'env_1', workspace_id: 'wsp_1', agent_id: 'agt_1', agent_name: 'a' },
    ...{ tool_id: 'tool_1', tool: 'refund.create', principal_type: 'AGENT', principal_id: 'agt_1', principal_name: name },
    ...{ decision: 'BLOCK', status: 'BLOCKED', mode: 'ENFORCE', code: 'ACTION_BLOCKED', reason: 'No.', amount: null, currency: null },
    ...{ destination: null, parameters_json: '{}', explanation_json: '{}', execution_json: null, approval_id: null },
    ...{ request_id: `req_${n}`, trace_id: 'f'.repeat(32), idempotency_key: null, idempotency_hash: null, idempotency_hash_unkeyed: null },
    ...{ environment_epoch: 1, agent_epoch: 1, created_at, completed_at: created_at },
    ...{ declaration_version: null, request_hmac: '0a'.repeat(32), digest_salt: '0b'.repeat(16), digest_revision: 0 },
  } as DecisionRecord['action'],
  events: (['action.requested', 'action.blocked'] as const).map((type) => ({ id: `evt_${n}_${type}`, type, about: 'action', data })),
  ...{ opens: null, consumes: null, grows: null, callTimeoutMs: null, claims: [] },
});

test('computes the leaf of an event as it is read, for any contents, with a valid MAC', async () => {
  const record = newRecordBatch(lane, eventRows, 60_000);
  await owner.query(
    "insert into environment_epochs (organization_id, workspace_id, environment_id) values ('org_1', 'wsp_1', 'env_1') on conflict do nothing",
  );
  const { rows: epochs } = await owner.query(
    "select (select epoch from environment_epochs where environment_id = 'env_1') as here, (select epoch from agent_epochs where agent_id = 'agt_1') as its",
  );
  const cases = [
    ...NAMES.flatMap((name) => DATA.map((data) => ({ name, data, at: '2030-01-02T03:04:05.678Z' }))),
    { name: 'half \ud83d of a letter', data: {}, at: '2030-01-02T03:04:05.678Z' },
    { name: 'a time that is written otherwise', data: {}, at: '2030-01-02T03:04:05Z' },
  ];
  const outcomes = await record(
    cases.map(({ name, data, at }, n) => {
      const made = decision(n, name, data, at);
      return { ...made, action: { ...made.action, environment_epoch: Number(epochs[0].here), agent_epoch: Number(epochs[0].its) } };
    }),
  );
  assert.ok(outcomes.every(({ outcome }) => outcome === 'recorded'));
  const readAll = () => readFeed(reader, { after: FEED_START, limit: LIMITS.feed.readAtOnceMax });
  await waitUntil('they are settled', async () => (await readAll()).events.length === 2 * cases.length);
  const { events } = await readAll();
  const leaves = new Map(
    (await readLeaves(reader, { after: FEED_START, limit: LIMITS.feed.readAtOnceMax })).events.map((leaf) => [leaf.position.id, leaf]),
  );
  for (const { event } of events) {
    const leaf = leaves.get(event.id);
    const n = Number(event.id.split('_')[1]);
    assert.equal(leaf?.leaf_hash, getEventLeaf(event), JSON.stringify(cases[n]));
  }
  assert.equal((await keepAuthentic(reader, events)).length, events.length);
});

test('writes a MAC that matches the event as it is read, for any contents, and not a changed one', async () => {
  const app = connect({ url: database.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 10_000 });
  const told = NAMES.concat('half \ud83d of a letter').flatMap((name, at) =>
    DATA.map(
      (data, n): EmittedEvent => ({
        ...{ organization_id: 'org_1', id: `evt_change_${at}_${n}`, type: 'agent.updated', occurred_at: new Date(1_893_456_000_123 + at) },
        ...about.agent({ id: name ?? 'agt_1', workspace_id: 'wsp_1', environment_id: 'env_1' }),
        ...{ request_id: name ?? 'req', trace_id: 't' },
        ...{ actor: { type: 'USER', id: 'usr_1', name }, data },
      }),
    ),
  );
  await inTenant(app, { organization_id: 'org_1' }, (tx) => appendEvents(tx, told));
  await app.destroy();
  const readAll = async () => (await readFeed(reader, { after: FEED_START, limit: LIMITS.feed.readAtOnceMax })).events;
  const changes = async () => (await readAll()).filter(({ event }) => event.id.startsWith('evt_change_'));
  await waitUntil('they are settled', async () => (await changes()).length === told.length);
  assert.equal((await keepAuthentic(reader, await changes())).length, told.length);
  const [first] = await changes();
  for (const changed of [
    { severity: 'critical' },
    { workspace_id: null },
    { data: { other: 1 } },
    { occurred_at: '2030-01-01T00:00:00.000Z' },
  ])
    assert.deepEqual(await keepAuthentic(reader, [{ ...first, event: { ...first?.event, ...changed } } as FeedEvent]), []);
  await owner.query('update audit_events set mac = null where id = $1', [first?.event.id]);
  assert.equal((await keepAuthentic(reader, await changes())).length, told.length - 1);
});

test('treats a value that is no hash as none', async () => {
  await owner.query("update audit_events set leaf_hash = '\\x00' where id = 'evt_0_action.blocked'");
  const { events } = await readLeaves(reader, { after: FEED_START, limit: 10 });
  assert.equal(events.find(({ position }) => position.id === 'evt_0_action.blocked')?.leaf_hash, null);
});
