import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { createPlatformKey } from '@svc/keyring/sealed/platform-key.ts';
import { loadPlatformKeys } from '@svc/operations/agents/identity/load-platform-keys.ts';
import { type LogReader, verifyLog } from '@svc/operations/events/audit-log/verify-log.ts';
import { dropSome, removeSome } from '@svc/postgres/audit/retention/remove-events.ts';
import { connect, type Database } from '@svc/postgres/connection/connect.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import { TEST_INSTALLATION, TEST_MASTER_KEY, testLogin } from '@svc/testing/database/master-key.ts';
import { type OwnServer, startOwnServer } from '@svc/testing/database/own-server.ts';
import { authenticateEvents } from '@svc/testing/events/authenticate-events.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { getPlaneEnvironment, type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import pino from 'pino';
import { dropAuditPartitions } from '../../jobs/drop-audit-partitions.ts';
import { runJob } from '../../jobs/job.ts';
import { removeAuditEvents } from '../../jobs/remove-audit-events.ts';

const PATH = '/v1/audit-events/retention';
let server: OwnServer;
let planes: Planes;
let worker: RunningProcess;
let owner: pg.Client;
let app: Database;
let identity: Database;
let folder: string;
before(async () => {
  server = await startOwnServer();
  const { database } = server;
  owner = await database.client();
  await partOld(-10);
  planes = await startPlanes({ gateways: 0, database });
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database));
  const as = (role: 'svc_app' | 'svc_identity') =>
    connect({ url: database.url, role, ...testLogin(role), connectionsMax: 4, timeoutMs: 10_000 });
  [app, identity] = [as('svc_app'), as('svc_identity')];
  folder = await mkdtemp(join(tmpdir(), 'svc-retention-'));
});
after(async () => {
  await Promise.all([worker.stop(), app.destroy(), identity.destroy(), owner.end()]);
  await planes.stop();
  await server.remove();
  await rm(folder, { recursive: true });
});

/** Creates two past months: one so many months ago, and the next. */
const partOld = async (away: number): Promise<void> => {
  const [{ month, next, bound }] = (
    await owner.query(
      `select svc_first_id('evt', svc_month($1)) as month, svc_first_id('evt', svc_month($1 + 1)) as next,
              (select beyond_id from svc_audit_partitions() where called = 'audit_events_first') as bound`,
      [away],
    )
  ).rows as [{ month: string; next: string; bound: string }];
  await owner.query('alter table audit_events detach partition audit_events_first');
  for (const [name, from, to] of [
    ['older', 'minvalue', `'${month}'`],
    ['old', `'${month}'`, `'${next}'`],
  ])
    await owner.query(
      `create table audit_events_${name} (like audit_events including defaults); select svc_close_audit_partition('audit_events_${name}');
       alter table audit_events attach partition audit_events_${name} for values from (${from}) to (${to})`,
    );
  await owner.query(`alter table audit_events attach partition audit_events_first for values from ('${next}') to ('${bound}')`);
};

const inMonth = (away: number): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + away, 15, 12);
};

const COLUMNS =
  'organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data';

/** Writes events of one moment. */
const writeAt = async (client: pg.Client, { organization_id }: Pick<Tenant, 'organization_id'>, atMs: number, count: number, chars = 0) => {
  const ids = Array.from({ length: count }, () => `evt_${newUlid(atMs)}`);
  await authenticateEvents(client, () =>
    client.query(
      `insert into audit_events (${COLUMNS}) select $1, id, 'agent.created', to_timestamp($4::float8 / 1000), 'USER', 'usr_1', 'agent', 'agt_1', 'info', 'req_1', 't', json_build_object('n', n, 'text', repeat('x', $3::int))
       from unnest($2::text[]) with ordinality e (id, n)`,
      [organization_id, ids, chars, atMs],
    ),
  );
  return ids;
};

/** Writes events of a month. */
const write = (client: pg.Client, tenant: Pick<Tenant, 'organization_id'>, away: number, count: number, chars = 0) =>
  writeAt(client, tenant, inMonth(away), count, chars);

const DAY_MS = 86_400_000;

/**
 * Creates an organization whose record begins with so many events of ten months ago: their transaction begins first, and holds the feed
 * back until it ends.
 */
const newOldTenant = async (count: number, chars = 0): Promise<{ readonly tenant: Tenant; readonly old: string[] }> => {
  const client = await server.database.client();
  await client.query('begin; select pg_current_xact_id()');
  const tenant = await newTenant(planes);
  const old = await write(client, tenant, -10, count, chars);
  await client.query('commit');
  await client.end();
  // Shows that a week has passed.
  await writeAt(owner, tenant, Date.now() - 8 * DAY_MS, 1);
  await stepUp(planes.controlUrl, tenant);
  return { tenant, old };
};

const sealed = ({ organization_id }: Tenant): Promise<void> =>
  waitUntil('every event is sealed', async () => {
    const { rows } = await owner.query(
      `select not exists (select from audit_events e where organization_id = $1
         and not exists (select from audit_leaves l where l.organization_id = $1 and l.event_id = e.id)) as done`,
      [organization_id],
    );
    return rows[0].done;
  });

const say = (tenant: Tenant, keep_days: number | null) =>
  mustCall(planes.controlUrl, 'PATCH', PATH, { token: tenant.token, body: { keep_days, reason: 'as agreed' } });
/** Moves a change eight days into the past. */
const eightDaysLater = ({ organization_id }: Tenant) =>
  owner.query("update audit_retention set changed_at = now() - interval '8 days' where organization_id = $1", [organization_id]);
const read = (tenant: Tenant) => mustCall(planes.controlUrl, 'GET', PATH, { token: tenant.token });
const verify = (tenant: Tenant) => mustCall(planes.controlUrl, 'POST', '/v1/audit-events/verify', { token: tenant.token, body: {} });
const left = async (ids: readonly string[]): Promise<number> =>
  (await owner.query('select count(*)::int as n from audit_events where id = any ($1)', [ids])).rows[0].n;
const partition = async (name: string): Promise<boolean> =>
  (await owner.query('select to_regclass($1) is not null as is_there', [name])).rows[0].is_there;

const signer = async () => {
  const master = readMasterKey(TEST_MASTER_KEY);
  if (!master.ok) throw new Error(master.reason);
  const { keys } = await loadPlatformKeys(app, master.key, pino({ level: 'silent' }));
  return { installationId: TEST_INSTALLATION.id, signingKey: keys.signing.privateKey, keys: [...keys.ofLog.values()] };
};

const jobs = async () => {
  const deps = { database: app, identity, log: pino({ level: 'silent' }), clock: () => new Date() };
  const remove = removeAuditEvents(await signer());
  return { remove: () => runJob(deps, remove), drop: () => dropAuditPartitions.run(deps, () => false) };
};

/** Runs each job twice concurrently, like two instances. */
const announce = async (): Promise<void> => {
  const { remove } = await jobs();
  await Promise.all([remove(), remove()]);
};
const run = async (): Promise<void> => {
  await announce();
  const { drop } = await jobs();
  await Promise.all([drop(), drop()]);
};

/** Runs every step after a change: announced, sealed and applied. */
const apply = async (...tenants: Tenant[]): Promise<void> => {
  for (const tenant of tenants) await sealed(tenant);
  await run();
  for (const tenant of tenants) await sealed(tenant);
  await run();
};

/** Runs an export that pauses for `meanwhile` in the middle. */
const verifyOffline = async (
  tenant: Tenant,
  controlUrl = planes.controlUrl,
  { body = {}, midway = async () => {}, more = [] as readonly string[] } = {},
): Promise<{ code: number; said: string }> => {
  const { keys } = await mustCall(controlUrl, 'GET', '/v1/audit-log', { token: tenant.token });
  const answer = await fetch(`${controlUrl}/v1/audit-events/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const parts: Uint8Array[] = [];
  for await (const part of answer.body ?? []) {
    parts.push(part);
    if (parts.length === 1) await midway();
  }
  const file = join(folder, `${tenant.organization_id}.jsonl`);
  await writeFile(file, Buffer.concat(parts));
  const known = keys.flatMap((key: { verifier_key: string }) => ['--key', key.verifier_key]);
  return await new Promise((resolve) => {
    execFile(process.execPath, ['verifier/verify.mjs', file, ...known, ...more], (error, said) =>
      resolve({ code: Number(error?.code ?? 0), said }),
    );
  });
};

test('getAuditRetention and updateAuditRetention: everything is kept until a person with a recent step-up changes it, at least half a year', async () => {
  const tenant = await newTenant(planes);
  const nothing = { keep_days: null, changed_at: null, removes_from: null, announced_leaves: 0, removed_leaves: 0 };
  assert.deepEqual(await read(tenant), nothing);
  const ask = (body: object) => call(planes.controlUrl, 'PATCH', PATH, { token: tenant.token, body });
  const unproved = await ask({ keep_days: 200, reason: 'x' });
  assert.deepEqual([unproved.status, unproved.json.error.code], [403, 'STEP_UP_REQUIRED']);
  await stepUp(planes.controlUrl, tenant);
  for (const [body, pointer] of [
    [{ keep_days: 183, reason: 'x' }, '/keep_days'],
    [{ keep_days: 200 }, '/reason'],
    [{ keep_days: 36_501, reason: 'x' }, '/keep_days'],
  ] as const) {
    const { status, json } = await ask(body);
    assert.deepEqual([status, json.error.details.faults[0].pointer], [400, pointer]);
  }
  const said = await say(tenant, 184);
  assert.equal(said.keep_days, 184);
  assert.equal(Date.parse(said.removes_from) - Date.parse(said.changed_at), 7 * 86_400_000);
  assert.deepEqual(await say(tenant, 184), said);
  const { data } = await mustCall(planes.controlUrl, 'GET', '/v1/audit-events?type=audit.retention_updated', { token: tenant.token });
  assert.deepEqual(
    data.map((event: { data: unknown; severity: string }) => [event.data, event.severity]),
    [[{ before: { keep_days: null }, after: { keep_days: 184 }, reason: 'as agreed' }, 'critical']],
  );
});

test('events beyond the retention of an organization are removed seven days after the announcement, by the month; others keep theirs, the log stays whole, and other deletions are distinguished', async () => {
  const [{ tenant, old }, { tenant: other, old: theirs }] = [await newOldTenant(300), await newOldTenant(30)];
  const kept = await write(owner, tenant, -3, 20);
  await say(tenant, 200);
  await apply(tenant, other);
  assert.equal(await left([...old, ...kept]), 320);
  assert.equal((await read(tenant)).announced_leaves, 0);
  await eightDaysLater(tenant);
  await run();
  const announced = await read(tenant);
  assert.deepEqual([announced.announced_leaves, announced.removed_leaves], [300, 0]);
  assert.equal(await left(old), 300);
  await apply(tenant, other);
  assert.deepEqual([await left(old), await left(kept), await left(theirs)], [0, 20, 30]);
  const { intact, removed_by_retention, findings } = await verify(tenant);
  assert.deepEqual([intact, removed_by_retention, findings], [true, 300, []]);
  const offline = await verifyOffline(tenant);
  assert.deepEqual([offline.code, /Of those before 300, 300 were removed by retention/.test(offline.said)], [0, true], offline.said);
  await owner.query('delete from audit_events where id = $1', [kept[7]]);
  const deleted = await verify(tenant);
  assert.deepEqual(
    deleted.findings.map(({ kind, event_id }: { kind: string; event_id: string }) => [kind, event_id]),
    [['DELETED', kept[7]]],
  );
  assert.match((await verifyOffline(tenant)).said, /^Deleted: the event \d+ is missing\./m);
});

test('an export during which retention removes events is intact, full or by time', async () => {
  // More than is in transit while nothing is read.
  for (const body of [{}, { from: new Date(inMonth(-11)).toISOString(), to: new Date(inMonth(-9)).toISOString() }]) {
    const { tenant, old } = await newOldTenant(3_000, 16_000);
    await say(tenant, 184);
    await eightDaysLater(tenant);
    await sealed(tenant);
    const midway = async () => {
      await apply(tenant);
      await waitUntil('they are removed', async () => {
        await run();
        return (await left(old)) === 0;
      });
    };
    const { code, said } = await verifyOffline(tenant, planes.controlUrl, { body, midway, more: 'from' in body ? ['--part'] : [] });
    const [, removed] = /Of those before 3000, (\d+) were removed by retention/.exec(said) ?? [];
    assert.deepEqual([code, Number(removed) > 0, Number(removed) < 3_000], [0, true, true], said);
  }
});

test('a verification during which retention removes events finds nothing deleted', async () => {
  const { tenant, old } = await newOldTenant(100);
  const { organization_id } = tenant;
  await say(tenant, 184);
  await eightDaysLater(tenant);
  await sealed(tenant);
  const { keys } = await signer();
  let reads = 0;
  const read: LogReader = async (work) => {
    reads += 1;
    // After the tree and the retention were read, before the first segment is compared.
    if (reads === 9) await apply(tenant);
    return await inTenant(app, { organization_id }, work);
  };
  const log = { organizationId: organization_id, installationId: TEST_INSTALLATION.id, keys };
  const { intact, removed_by_retention, findings } = await verifyLog(read, log, 0);
  assert.equal(await left(old), 0);
  assert.deepEqual([intact, removed_by_retention, findings], [true, 100, []]);
});

test('a forged record in the database that retention removed more is not accepted', async () => {
  const { tenant } = await newOldTenant(20);
  const kept = await write(owner, tenant, -1, 20);
  await say(tenant, 184);
  await eightDaysLater(tenant);
  await apply(tenant);
  const real = (
    await owner.query(
      `select data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = 'audit.retention_updated' and data #>> '{after,removed_leaves}' is not null`,
      [tenant.organization_id],
    )
  ).rows[0].data;
  const more = real.after.removed_leaves + 25;
  const note = real.note.replaceAll(`/retention/${real.after.removed_leaves}`, `/retention/${more}`);
  await authenticateEvents(owner, () =>
    owner.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
     values ($1, $2, 'audit.retention_updated', now(), 'SYSTEM', 'system', 'organization', $1, 'critical', 'req_1', 't', $3)`,
      [tenant.organization_id, `evt_${newUlid()}`, JSON.stringify({ ...real, after: { removed_leaves: more }, note })],
    ),
  );
  await sealed(tenant);
  await owner.query('delete from audit_events where id = $1', [kept[0]]);
  const { intact, findings } = await verify(tenant);
  assert.equal(intact, false);
  assert.ok(findings.some(({ kind, event_id }: { kind: string; event_id: string }) => kind === 'DELETED' && event_id === kept[0]));
  assert.match((await verifyOffline(tenant)).said, /^Deleted: the event/m);
});

test('an announcement that is only in the table is not signed', async () => {
  const { tenant } = await newOldTenant(20);
  const kept = await write(owner, tenant, -1, 20);
  await say(tenant, 184);
  await eightDaysLater(tenant);
  await apply(tenant);
  const { announced_leaves } = await read(tenant);
  assert.equal(announced_leaves, 20);
  const claim = (set: string) => owner.query(`update audit_retention set ${set} where organization_id = $1`, [tenant.organization_id]);
  await claim('announced_leaves = announced_leaves + 10');
  // Simulates a backup restored on another server, whose transaction ids mean nothing here.
  await claim("announced_in = '0'");
  await apply(tenant);
  assert.equal((await read(tenant)).announced_leaves, announced_leaves);
  await owner.query('delete from audit_events where id = $1', [kept[0]]);
  const { findings } = await verify(tenant);
  assert.deepEqual(
    findings.map(({ kind, event_id }: { kind: string; event_id: string }) => [kind, event_id]),
    [['DELETED', kept[0]]],
  );
});

test('the database refuses to remove what is too young, not announced, not sealed or held, and trusts no clock beyond what was sealed', async () => {
  const { tenant, old } = await newOldTenant(10);
  const { organization_id } = tenant;
  await say(tenant, 184);
  await sealed(tenant);
  const remove = () => inTenant(app, { organization_id }, (tx) => removeSome(tx, organization_id, 1_000));
  /** Writes what a compromised service could state, without an event. */
  const claim = (leaves: number) =>
    inTenant(app, { organization_id }, (tx) => tx.updateTable('audit_retention').set({ announced_leaves: leaves }).execute());
  await claim(10);
  assert.equal(await remove(), false);
  await eightDaysLater(tenant);
  assert.equal(await remove(), false);
  await assert.rejects(
    inTenant(app, { organization_id }, (tx) => tx.updateTable('audit_retention').set({ changed_at: '2020-01-01T00:00:00Z' }).execute()),
    { code: '42501' },
  );
  await assert.rejects(
    inTenant(app, { organization_id }, (tx) => tx.deleteFrom('audit_events').execute()),
    { code: '42501' },
  );
  const cutoff = async (): Promise<string> => (await owner.query('select svc_audit_cutoff($1) as id', [organization_id])).rows[0].id;
  const before = await cutoff();
  assert.ok(before > (old[0] ?? ''));
  // A log whose newest event is ten months old: only the clock shows that time has passed.
  await owner.query(
    "update audit_leaves set organization_id = organization_id || '_aside' where organization_id = $1 and event_id <> all ($2)",
    [organization_id, old],
  );
  assert.ok((await cutoff()) < (old[0] ?? ''));
  await owner.query("update audit_leaves set organization_id = $1 where organization_id = $1 || '_aside'", [organization_id]);
  assert.equal(await cutoff(), before);
  assert.equal(await left(old), 10);
  await claim(0);
});

test('a clock that jumps ahead, with everything written by it, is trusted a week later', async () => {
  const { tenant, old } = await newOldTenant(3);
  const { organization_id } = tenant;
  await say(tenant, 184);
  await eightDaysLater(tenant);
  await sealed(tenant);
  const cutoff = async (): Promise<string> => (await owner.query('select svc_audit_cutoff($1) as id', [organization_id])).rows[0].id;
  // Simulates a record that ended nine months ago, with a clock jump to now.
  await owner.query(
    "update audit_leaves set organization_id = organization_id || '_aside' where organization_id = $1 and event_id <> all ($2) and event_id < svc_first_id('evt', now() - interval '7 days')",
    [organization_id, old],
  );
  assert.ok((await cutoff()) < (old[0] ?? ''));
  await run();
  assert.deepEqual([await left(old), (await read(tenant)).announced_leaves], [3, 0]);
  await owner.query("update audit_leaves set organization_id = $1 where organization_id = $1 || '_aside'", [organization_id]);
  assert.ok((await cutoff()) > (old[0] ?? ''));
  // Without anything older than a week nothing is old enough to be removed.
  await owner.query(
    "update audit_leaves set organization_id = organization_id || '_aside' where organization_id = $1 and event_id < svc_first_id('evt', now() - interval '7 days')",
    [organization_id],
  );
  assert.ok((await cutoff()) < `evt_${newUlid(Date.now() - 184 * DAY_MS)}`);
  await owner.query("update audit_leaves set organization_id = $1 where organization_id = $1 || '_aside'", [organization_id]);
});

test('a month beyond every retention is dropped as a whole, after everything in it is announced, despite concurrent readers and crashes', async () => {
  // Earlier organizations keep nothing of it but their record.
  await owner.query('delete from audit_events_old');
  const [{ tenant, old }, { tenant: other }] = [await newOldTenant(50), await newOldTenant(30)];
  for (const each of [tenant, other]) {
    await say(each, 184);
    await eightDaysLater(each);
    await sealed(each);
  }
  assert.equal(await dropSome(identity, 100), undefined);
  await announce();
  for (const each of [tenant, other]) await sealed(each);
  // Three steps: a part, the rest, and the finding that there is no more.
  for (let steps = 0; steps < 3; steps += 1)
    assert.deepEqual(await dropSome(identity, 40), { called: 'audit_events_old', is_dropped: false });
  const reading = await server.database.client();
  await reading.query('begin; select count(*) from audit_events');
  const refused = assert.rejects(dropSome(identity, 40), { code: '55P03' });
  await write(owner, tenant, 0, 5);
  await refused;
  await reading.query('commit');
  // A step waits at most a tenth of a second for readers, and is then retried.
  await waitUntil('somebody dies in between', () =>
    reading.query('begin; select * from svc_drop_audit_partition(40)').then(
      () => true,
      () => reading.query('rollback').then(() => false),
    ),
  );
  await reading.end();
  assert.equal(await left(old), 50);
  // Simulates thousands of checks: no writer waits for them.
  await owner.query(`alter function svc_audit_all_announced rename to svc_audit_all_announced_quick;
    create function svc_audit_all_announced(partition name) returns boolean language plpgsql as
      'begin perform pg_sleep(1); return svc_audit_all_announced_quick(partition); end'`);
  let isOver = false;
  const dropping = dropSome(identity, 40).finally(() => {
    isOver = true;
  });
  const waited: number[] = [];
  while (!isOver) {
    const began = performance.now();
    await write(owner, tenant, 0, 1);
    waited.push(performance.now() - began);
  }
  assert.deepEqual(await dropping, { called: 'audit_events_old', is_dropped: true });
  assert.ok(Math.max(...waited) < 900, `${Math.max(...waited)} ms`);
  await owner.query(
    'drop function svc_audit_all_announced; alter function svc_audit_all_announced_quick rename to svc_audit_all_announced',
  );
  await waitUntil('it is dropped', async () => {
    await Promise.all([run(), run()]);
    return !(await partition('audit_events_old'));
  });
  assert.equal(await left(old), 0);
  await run();
  for (const [each, count] of [
    [tenant, 50],
    [other, 30],
  ] as const) {
    const { intact, removed_by_retention } = await verify(each);
    assert.deepEqual([intact, removed_by_retention, (await read(each)).removed_leaves], [true, count, count]);
  }
});

test('an event written late into a month prevents its drop: the others are removed one by one', async () => {
  await owner.query(
    "create table audit_events_old (like audit_events including defaults); select svc_close_audit_partition('audit_events_old')",
  );
  await owner.query(
    `do $$ begin execute format('alter table audit_events attach partition audit_events_old for values from (%L) to (%L)', svc_first_id('evt', svc_month(-10)), svc_first_id('evt', svc_month(-9))); end $$`,
  );
  const { tenant, old } = await newOldTenant(20);
  const late = await write(owner, tenant, -10, 1);
  await say(tenant, 184);
  await eightDaysLater(tenant);
  await apply(tenant);
  await run();
  assert.deepEqual([await partition('audit_events_old'), await left(old), await left(late)], [true, 0, 1]);
});

test('removals by retention are distinguished from deletions also after their signing key is retired', async () => {
  const { tenant } = await newOldTenant(20);
  await say(tenant, 184);
  await eightDaysLater(tenant);
  await apply(tenant);
  const master = readMasterKey(TEST_MASTER_KEY);
  assert.ok(master.ok);
  const made = createPlatformKey(deriveKey(master.key, 'platform-key-wrapping'));
  await owner.query('insert into platform_keys (key_id, public_key, private_key_sealed) values ($1, $2, $3)', [
    made.kid,
    made.public_key,
    made.sealed_private_key,
  ]);
  await owner.query('update platform_keys set retired_at = now() where key_id <> $1', [made.kid]);
  const other = await startPlanes({ gateways: 0, database: server.database });
  const { code, said } = await verifyOffline(tenant, other.controlUrl);
  await other.stop();
  assert.deepEqual([code, /20 were removed by retention/.test(said)], [0, true], said);
});
