import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { authenticateEvents } from '@svc/testing/events/authenticate-events.ts';
import { isLong, sample } from '@svc/testing/length/test-length.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { getPlaneEnvironment, type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { startProcess } from '@svc/testing/processes/start-process.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let owner: pg.Client;
let tenant: Tenant;
let eventId = '';
before(async () => {
  const database = await createFreshDatabase();
  planes = await startPlanes({ gateways: 0, database });
  owner = await database.client();
  tenant = await newTenant(planes);
  const worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database));
  await newAgent(tenant);
  await authenticateEvents(owner, () =>
    owner.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
       select $1, id, 'action.allowed', date_trunc('milliseconds', now()), 'AGENT', 'agt_1', 'action', 'act_' || n, 'info', 'req_1', 't', '{}'
         from unnest($2::text[]) with ordinality as made (id, n)`,
      [tenant.organization_id, Array.from({ length: 300 }, () => `evt_${newUlid()}`)],
    ),
  );
  await waitUntil('a tile is full, and everything is sealed', async () => {
    const { rows } = await owner.query<{ events: number; leaves: number }>(
      `select (select count(*)::int from audit_events where organization_id = $1) as events,
              (select count(*)::int from audit_leaves where organization_id = $1) as leaves`,
      [tenant.organization_id],
    );
    return (rows[0]?.leaves ?? 0) >= 256 && rows[0]?.events === rows[0]?.leaves;
  });
  await worker.stop();
  await owner.query("insert into audit_anchored (organization_id, size, anchor, cosignature) values ($1, 200, 'file:0123456789ab', null)", [
    tenant.organization_id,
  ]);
  await owner.query("insert into audit_anchorings (organization_id, size, anchor, next_at) values ($1, 200, 'file:0123456789ab', now())", [
    tenant.organization_id,
  ]);
  await owner.query('insert into audit_retention (organization_id) values ($1)', [tenant.organization_id]);
  const { rows } = await owner.query('select event_id from audit_leaves where organization_id = $1 and leaf_index = 3', [
    tenant.organization_id,
  ]);
  eventId = rows[0].event_id;
});
after(async () => {
  await owner.end();
  await planes.stop();
  await planes.database.drop();
});

/** The tables of the log, the row of each that is changed, and columns that no signature or hash covers, each with the reason. */
const TABLES: Readonly<Record<string, { readonly where: string; readonly uncovered: readonly string[] | undefined }>> = {
  audit_leaves: { where: 'leaf_index = 3', uncovered: [] },
  audit_tiles: { where: 'level = 1', uncovered: [] },
  // The time of sealing, and the report about a held log, are only for display.
  audit_trees: { where: 'true', uncovered: ['sealed_at', 'held_told_at', 'lifted'] },
  audit_checkpoints: { where: 'size = (select max(size) from audit_checkpoints)', uncovered: [] },
  // The position in the feed, and what the sealer checked, mean nothing once the event is sealed.
  audit_events: {
    where: 'id = (select event_id from audit_leaves l where l.organization_id = $1 and leaf_index = 3)',
    uncovered: ['transaction_id', 'leaf_hash', 'mac'],
  },
  // Facts about anchors are not signed here: a size beyond the log is detected, and no value makes a read fail.
  audit_anchored: { where: 'true', uncovered: undefined },
  audit_anchorings: { where: 'true', uncovered: undefined },
  audit_retention: { where: 'true', uncovered: undefined },
};

/** Values that the owner of the database sets a column of each type to. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  bytea: ["C || '\\x00'", 'substring(C for length(C) - 1)', "'\\x'", 'sha256(C)', "C || sha256('more')", 'null'],
  text: ["C || ' '", "''", "repeat('x', 100000)", "E'\\n\\n'", 'null'],
  bigint: ['C + 1', '-1', '9007199254740993', 'null'],
  smallint: ['C + 1', '-1', 'null'],
  'timestamp with time zone': ["C - interval '1 day'", "'infinity'", "C + interval '1 microsecond'", 'null'],
  jsonb: ["'[]'", 'null'],
  json: ["'[]'", '\'{"a":1}\'', "'null'", 'null'],
  integer: ['C + 1', '-1', '2147483647', 'null'],
  xid8: ["'0'", "'9000000000000000'", 'null'],
};

type Case = { readonly table: string; readonly column: string; readonly statement: string; readonly isCovered: boolean | undefined };

const listCases = async (table: string): Promise<readonly Case[]> => {
  const { where, uncovered } = TABLES[table] as (typeof TABLES)[string];
  const { rows } = await owner.query<{ column_name: string; data_type: string; is_nullable: string; is_key: boolean }>(
    `select c.column_name, c.data_type, c.is_nullable,
            exists (select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
                     where i.indrelid = $1::text::regclass and i.indisprimary and a.attname = c.column_name) as is_key
       from information_schema.columns c where c.table_name = $1::text and c.column_name <> 'organization_id' order by 1`,
    [table],
  );
  const cases: Case[] = [];
  for (const { column_name: column, data_type, is_nullable, is_key } of rows) {
    const values = VALUES[data_type];
    assert.ok(values, `no values for ${table}.${column} of type ${data_type}`);
    if (!is_key && is_nullable === 'NO') await owner.query(`alter table ${table} alter column ${column} drop not null`);
    for (const value of values.filter((each) => each !== 'null' || !is_key)) {
      const set = value.replaceAll(/\bC\b/g, column);
      const statement = `update ${table} set ${column} = ${set} where organization_id = $1 and ${where}`;
      cases.push({ table, column, statement, isCovered: uncovered && !uncovered.includes(column) });
    }
  }
  return cases;
};

/** Other ways to read the log. Each refuses a changed log or returns the change; none fails. */
const READS = () => [
  '/v1/audit-log',
  '/v1/audit-log/checkpoint',
  '/v1/audit-log/tile/0/000',
  '/v1/audit-log/tile/1/000.p/1',
  '/v1/audit-log/consistency?from=5',
  '/v1/audit-events/checkpoints',
  `/v1/audit-events/${eventId}/proof`,
  '/v1/audit-events?limit=200',
  '/v1/audit-events/retention',
];

test('verification finds every changed column of the log and describes it, and no read of the log fails', async () => {
  const ask = (method: string, path: string, body?: object) =>
    call(planes.controlUrl, method, path, { token: tenant.token, ...(body === undefined ? {} : { body }) });
  const wrong: string[] = [];
  let tried = 0;
  for (const table of Object.keys(TABLES)) {
    await owner.query(`create table kept_rows as select * from ${table}`);
    const cases = sample(await listCases(table), 6, `changes of ${table}`);
    // The owner of the database can do this. A partitioned table keeps its key, whose columns are never set to their own value.
    const constraints = await owner.query<{ name: string }>(
      "select conname as name from pg_constraint where conrelid = $1::text::regclass and contype in ('p', 'c') and $1::text <> 'audit_events' order by 1",
      [table],
    );
    for (const { name } of constraints.rows) await owner.query(`alter table ${table} drop constraint ${name} cascade`);
    for (const { statement, isCovered, column } of cases) {
      const { rows } = await owner.query<{ is_same: boolean }>(
        `with before as (select * from ${table} where organization_id = $1) select count(*) > 0 as is_same from before`,
        [tenant.organization_id],
      );
      assert.equal(rows[0]?.is_same, true, table);
      // Some values are refused by the type or by a partition.
      const rowCount = await owner.query(statement, [tenant.organization_id]).then(
        (done) => done.rowCount,
        () => undefined,
      );
      if (rowCount === undefined) continue;
      assert.equal(rowCount, 1, statement);
      const { rows: changed } = await owner.query(`(select t::text from ${table} t except all select k::text from kept_rows k) limit 1`);
      if (changed.length > 0) {
        tried += 1;
        const verified = await ask('POST', '/v1/audit-events/verify', {});
        if (verified.status !== 200) wrong.push(`${statement}: verify answers ${verified.status} ${verified.text.slice(0, 200)}`);
        else if (isCovered && verified.json.intact) wrong.push(`${statement}: intact`);
        else if (isCovered === false && !verified.json.intact)
          wrong.push(`${column} is listed as uncovered, and found: ${verified.text.slice(0, 300)}`);
        for (const path of READS()) {
          const { status, text } = await ask('GET', path);
          if (status >= 500) wrong.push(`${statement}: ${path} answers ${status} ${text.slice(0, 200)}`);
        }
        const records = await ask('POST', '/v1/audit-events/verify', { records: [{ type: 'organization', id: tenant.organization_id }] });
        if (records.status >= 500) wrong.push(`${statement}: verify of records answers ${records.status}`);
        const exported = await ask('POST', '/v1/audit-events/export', {}).catch(() => ({ status: 0 }));
        if (exported.status >= 500) wrong.push(`${statement}: the export answers ${exported.status}`);
      }
      await owner.query(`delete from ${table}`);
      await owner.query(`insert into ${table} select * from kept_rows`);
    }
    await owner.query('drop table kept_rows');
    assert.deepEqual((await ask('POST', '/v1/audit-events/verify', {})).json.findings, [], `${table} is not as it was`);
  }
  assert.deepEqual(wrong, []);
  if (isLong) assert.ok(tried > 100, `only ${tried} were tried`);
});
