import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { searchInTenant, type TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { type AuditFilter, searchAuditEvents } from '@svc/postgres/events/search/search-audit-events.ts';
import { keepSegment, takeDue } from '@svc/postgres/events/search/sum-up.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertOrganization } from '@svc/testing/events/insert-webhook.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { sumUp, sumUpEvents } from './sum-up-events.ts';

const EVENTS = 17_000;
const SEGMENT = 8_192;

let database: FreshDatabase;
let owner: pg.Client;
let reader: Database;
let app: Database;
let org: string;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  const connectAs = (role: 'svc_reader' | 'svc_app') =>
    connect({ url: database.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 20_000 });
  [reader, app] = [connectAs('svc_reader'), connectAs('svc_app')];
  org = (await insertOrganization(owner)).organizationId;
  await write(org, 0, EVENTS);
  await seal(org);
});
after(async () => {
  await Promise.all([reader.destroy(), app.destroy()]);
  await owner.end();
  await database.drop();
});

/** Inserts events with ids in the order of `n`, spread over the days before. */
const write = async (organization: string, from: number, to: number, more: { readonly word?: string } = {}): Promise<void> => {
  await owner.query(
    `insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     select $1, 'evt_01JXRT7K00' || lpad(n::text, 16, '0'), case when n % 4001 = 9 then 'policy.activated' else 'action.allowed' end, now(), case when n % 5003 = 2 then 'wsp_2' else 'wsp_1' end,
            'env_1', 'AGENT', 'agt_' || n % 50, 'action', 'act_' || n, case when n % 3001 = 4 then 'critical' else 'info' end, 'req_' || n, 't',
            jsonb_build_object('note', case when n % 6007 = 11 then 'quarterly reconciliation' else 'ordinary' end, 'invoice', 'inv-' || n, 'word', $4::text)
       from generate_series($2::int, $3::int - 1) n`,
    [organization, from, to, more.word ?? ''],
  );
};

/** Adds leaves like the sealer: all events of the organization without a leaf, in order of ids. */
const seal = async (organization: string): Promise<void> => {
  await owner.query(
    `insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash)
     select $1, (select count(*) from audit_leaves where organization_id = $1) + row_number() over (order by id) - 1, id, '\\x00'
       from audit_events e where organization_id = $1 and not exists (select from audit_leaves l where l.organization_id = $1 and l.event_id = e.id)`,
    [organization],
  );
  await owner.query(
    `insert into audit_trees (organization_id, size, root_hash, edge, checkpoint) select $1, count(*), '\\x', '\\x', '' from audit_leaves where organization_id = $1
     on conflict (organization_id) do update set size = excluded.size`,
    [organization],
  );
  await owner.query(
    `insert into feed_positions (consumer, transaction_id, id) values ('seal-events', pg_snapshot_xmax(pg_current_snapshot()), '')
     on conflict (consumer) do update set transaction_id = excluded.transaction_id`,
  );
};

const sumAll = async (): Promise<number> => {
  let count = 0;
  for (let due = await takeDue(reader); due !== undefined; due = await takeDue(reader)) {
    await keepSegment(reader, due, await sumUp(reader, due));
    count += 1;
  }
  return count;
};

/** Follows every page like a client; returns the number of pages and the ids in order. */
const searchAll = async (filter: AuditFilter, scope: TenantScope = { organization_id: org }, limit = 50) => {
  const found: string[] = [];
  let [after, pages]: [string | undefined, number] = [undefined, 0];
  do {
    const { rows, stoppedAt } = await searchInTenant(app, scope, (tx) => searchAuditEvents(tx, scope, filter, { after, limit }));
    found.push(...rows.slice(0, limit).map(({ id }) => id));
    after = rows.length > limit ? rows[limit - 1]?.id : stoppedAt;
    pages += 1;
  } while (after !== undefined);
  return { found, pages };
};

const FILTERS: Readonly<Record<string, [AuditFilter, string]>> = {
  type: [{ type: ['policy.activated'] }, "type = 'policy.activated'"],
  severity: [{ severity: 'critical' }, "severity = 'critical'"],
  actor: [{ actor_id: 'agt_7', type: ['policy.activated', 'action.allowed'] }, "actor_id = 'agt_7'"],
  place: [{ workspace_id: 'wsp_2' }, "workspace_id = 'wsp_2'"],
  request: [{ request_id: 'req_123' }, "request_id = 'req_123'"],
  subject: [{ subject_id: 'act_400', q: 'ordinary' }, "subject_id = 'act_400'"],
  words: [{ q: 'RECON quarterly' }, "data->>'note' like 'quart%'"],
  'one word among many': [{ q: 'inv-1777' }, "data->>'invoice' ~ '^inv-1777'"],
  nothing: [{ q: 'nowhere' }, 'false'],
  'two filters that never meet': [{ type: ['policy.activated'], severity: 'critical' }, 'false'],
};

const expected = async (condition: string): Promise<string[]> =>
  (await owner.query(`select id from audit_events where organization_id = $1 and ${condition} order by id desc`, [org])).rows.map(
    ({ id }) => id,
  );

test('a search finds the same before, during and after aggregation', async () => {
  const compare = async (when: string) => {
    for (const [name, [filter, condition]] of Object.entries(FILTERS))
      assert.deepEqual((await searchAll(filter)).found, await expected(condition), `${name}, ${when}`);
  };
  await compare('before');
  const due = await takeDue(reader);
  assert.ok(due);
  assert.equal(await takeDue(reader), undefined, 'one worker at a time has a stretch');
  await keepSegment(reader, due, await sumUp(reader, due));
  await compare('while');
  assert.equal(await sumAll(), Math.floor(EVENTS / SEGMENT) - 1);
  await compare('after');
});

test('a late event with an older identifier is found at once, and stays found when it is sealed and aggregated', async () => {
  const late = async (id: string) =>
    owner.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
       values ($1, $2, 'agent.revoked', now(), 'USER', 'usr_late', 'agent', 'agt_late', 'critical', 'req_late', 't', '{"note":"belated"}')`,
      [org, id],
    );
  const ids = ['evt_01JXRT7K000000000000012000X', 'evt_01JXRT7K000000000000000003X', 'evt_01JXRT7J000000000000000000X'];
  const isFound = async (when: string) => {
    for (const filter of [{ q: 'belated' }, { actor_id: 'usr_late' }, { type: ['agent.revoked'] }])
      assert.deepEqual((await searchAll(filter)).found, ids, when);
    assert.deepEqual((await searchAll({ q: 'belated' }, { organization_id: org }, 1)).found, ids, `${when}, page by page`);
  };
  for (const id of ids) await late(id);
  await isFound('before it is sealed');
  await seal(org);
  await isFound('sealed');
  await write(org, EVENTS, EVENTS + SEGMENT);
  await seal(org);
  assert.equal(await sumAll(), 1);
  await isFound('summed up');
});

test('a search finds the same with missing segments or a wrong mark, and a worker rebuilds them', async () => {
  const other = (await insertOrganization(owner)).organizationId;
  const scope = { organization_id: other };
  await write(other, 0, 3 * SEGMENT + 100);
  await seal(other);
  await sumAll();
  const numbers = async () =>
    (await owner.query('select segment::int from audit_search_segments where organization_id = $1 order by 1', [other])).rows.map(
      ({ segment }) => segment,
    );
  const mark = async () =>
    Number((await owner.query('select leaves from audit_search_marks where organization_id = $1', [other])).rows[0].leaves);
  const asked: [AuditFilter, number][] = [
    [{ q: 'recon' }, 5],
    [{ type: ['policy.activated'] }, 7],
    [{ severity: 'critical' }, 9],
    [{ request_id: 'req_123' }, 1],
    [{ request_id: 'req_9000' }, 1],
    [{ request_id: 'req_17000' }, 1],
  ];
  const isFound = async (when: string) => {
    for (const [filter, count] of asked)
      assert.equal((await searchAll(filter, scope)).found.length, count, `${JSON.stringify(filter)}, ${when}`);
  };
  await isFound('before');
  const changes = {
    'all are missing': 'delete from audit_search_segments where organization_id = $1',
    'the first is missing': 'delete from audit_search_segments where organization_id = $1 and segment = 0',
    'one between is missing': 'delete from audit_search_segments where organization_id = $1 and segment = 1',
    'the last is missing': 'delete from audit_search_segments where organization_id = $1 and segment = 2',
    'the mark is raised': 'update audit_search_marks set leaves = 81920000 where organization_id = $1',
    'the mark is outdated': 'update audit_search_marks set leaves = 0 where organization_id = $1',
  };
  for (const [when, change] of Object.entries(changes)) {
    await owner.query(change, [other]);
    await isFound(when);
    const running = sumUpEvents({ reader, log: pino({ level: 'silent' }) });
    await waitUntil(`it is made anew: ${when}`, async () => (await numbers()).join() === '0,1,2' && (await mark()) === 3 * SEGMENT);
    await running.stop();
    await isFound(`${when}, made anew`);
  }
});

test('a role that aggregates cannot remove a segment', async () => {
  await assert.rejects(sql`delete from audit_search_segments where organization_id = ${org}`.execute(reader), /permission denied/);
});

test('a caller limited to a scope finds its events, and no caller finds events of another organization', async () => {
  const scope = { organization_id: org, workspace_ids: ['wsp_2'] };
  assert.deepEqual((await searchAll({}, scope)).found, await expected("workspace_id = 'wsp_2'"));
  assert.deepEqual(
    (await searchAll({ type: ['policy.activated'] }, scope)).found,
    await expected("workspace_id = 'wsp_2' and type = 'policy.activated'"),
  );
  const other = (await insertOrganization(owner)).organizationId;
  await write(other, 0, 10, { word: 'reconciliation' });
  assert.equal((await searchAll({ q: 'reconciliation' }, { organization_id: other })).found.length, 10);
  assert.equal((await searchAll({ q: 'reconciliation' })).found.length, (await expected("data->>'note' like 'quart%'")).length);
});

test('a worker aggregates sealed events, removes segments of removed events, and leaves a held log alone', async () => {
  const running = sumUpEvents({ reader, log: pino({ level: 'silent' }) });
  const held = (await insertOrganization(owner)).organizationId;
  const gone = (await insertOrganization(owner)).organizationId;
  await write(held, 0, SEGMENT);
  await seal(held);
  await owner.query('update audit_trees set held_since = now() where organization_id = $1', [held]);
  await write(gone, 0, SEGMENT);
  await seal(gone);
  const segments = async (organization: string) =>
    (await owner.query("select from audit_search_segments where organization_id = $1 and last_id > ''", [organization])).rowCount;
  await waitUntil('it is summed up', async () => (await segments(gone)) === 1);
  await running.stop();
  await owner.query('delete from audit_events where organization_id = $1', [gone]);
  const again = sumUpEvents({ reader, log: pino({ level: 'silent' }) });
  await waitUntil('it is forgotten', async () => (await segments(gone)) === 0);
  await again.stop();
  assert.equal(await segments(held), 0);
  assert.equal((await searchAll({ q: 'inv-17' }, { organization_id: held })).found.length > 0, true);
});
