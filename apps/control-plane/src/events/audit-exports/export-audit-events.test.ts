import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { authenticateEvents } from '@svc/testing/events/authenticate-events.ts';
import { listOcsfFaults } from '@svc/testing/ocsf/ocsf-faults.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { getPlaneEnvironment, type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

/** More than fits in the buffers of a connection that is not read. */
const MANY = 4_000;
const LARGE = JSON.stringify({ note: 'x'.repeat(5_000) });

let planes: Planes;
let worker: RunningProcess;
let owner: pg.Client;
let tenant: Tenant;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-export-'));
  const database = await createFreshDatabase();
  planes = await startPlanes({ gateways: 0, database });
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database));
  owner = await database.client();
  tenant = await newTenant(planes);
  await newAgent(tenant);
});
after(async () => {
  await worker.stop();
  await owner.end();
  await planes.stop();
  await planes.database.drop();
  await rm(folder, { recursive: true });
});

/** Inserts many events of an organization that happened so long ago. */
const fill = (
  to: Tenant,
  count: number,
  { name = null, data = '{}', agoMs = 0 }: { name?: string | null; data?: string; agoMs?: number } = {},
) =>
  authenticateEvents(owner, () =>
    owner.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, actor_name, subject_type, subject_id, severity, request_id, trace_id, data)
     select $1, id, 'action.allowed', $5::timestamptz, 'AGENT', 'agt_1', $3, 'action', 'act_' || n, 'info', 'req_1', 't', jsonb_build_object('n', n) || $4::jsonb
       from unnest($2::text[]) with ordinality as made (id, n)`,
      [
        to.organization_id,
        Array.from({ length: count }, () => `evt_${newUlid(Date.now() - agoMs)}`),
        name,
        data,
        new Date(Date.now() - agoMs).toISOString(),
      ],
    ),
  );

const sealed = (of: Tenant = tenant): Promise<unknown> =>
  waitUntil('every event is sealed', async () => {
    const { rows } = await owner.query<{ is_sealed: boolean }>(
      `select (select count(*) from audit_events where organization_id = $1) = (select count(*) from audit_leaves where organization_id = $1) as is_sealed`,
      [of.organization_id],
    );
    return rows[0]?.is_sealed === true;
  });

const exported = async (body: object = {}, by: Tenant = tenant): Promise<string> => {
  const answer = await call(planes.controlUrl, 'POST', '/v1/audit-events/export', { token: by.token, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.text;
};

/** Runs the verifier on an export; returns its output and exit code. */
const verified = async (text: string, ...more: string[]): Promise<{ code: number; says: string }> => {
  const file = join(folder, 'export.jsonl');
  await writeFile(file, text);
  const { keys } = await mustCall(planes.controlUrl, 'GET', '/v1/audit-log', { token: tenant.token });
  const words = ['verifier/verify.mjs', file, '--key', keys[0].verifier_key, ...more];
  return new Promise((resolve) => {
    execFile(process.execPath, words, (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), says: stdout + stderr }));
  });
};

const listLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
// biome-ignore lint/suspicious/noExplicitAny: lines are looked at member by member
const getManifest = (text: string): any => JSON.parse(listLines(text).at(-1) ?? '{}').manifest;
const findEvents = (text: string) =>
  listLines(text)
    .map((line) => JSON.parse(line))
    .filter(({ id }) => id !== undefined);
const bytesBefore = (text: string, last: string): string =>
  createHash('sha256')
    .update(text.slice(0, text.lastIndexOf(last)))
    .digest('hex');

const toldOf = async (of: Tenant = tenant) =>
  (
    await owner.query<{ data: Record<string, unknown>; request_id: string; actor_id: string }>(
      `select data, request_id, actor_id from audit_events where organization_id = $1 and type = 'audit.exported' order by id`,
      [of.organization_id],
    )
  ).rows;

test('the verifier accepts an unchanged full export, and finds everything removed from or changed in one', async () => {
  await fill(tenant, 1_300);
  await sealed();
  const text = await exported();
  const manifest = getManifest(text);
  assert.equal(manifest.events, manifest.tree_size);
  assert.equal(findEvents(text).length, manifest.events);
  const { code, says } = await verified(text);
  assert.deepEqual([code, says.startsWith(`Intact: ${manifest.events} events`)], [0, true], says);
  const lines = listLines(text);
  const without = await verified(`${lines.toSpliced(7, 1).join('\n')}\n`);
  assert.deepEqual([without.code, /Deleted/.test(without.says)], [1, true], without.says);
  const changed = await verified(text.replace('"type":"action.allowed"', '"type":"action.blocked"'));
  assert.deepEqual([changed.code, /Changed/.test(changed.says)], [1, true], changed.says);
  const cut = await verified(`${lines.slice(0, -1).join('\n')}\n`);
  assert.deepEqual([cut.code, /Cut/.test(cut.says)], [1, true], cut.says);
});

test('a row that the owner of the database deletes is missing in the next export, and the verifier reports it', async () => {
  const other = await newTenant(planes);
  await fill(other, 20);
  await sealed(other);
  await owner.query("delete from audit_events where organization_id = $1 and subject_id = 'act_5'", [other.organization_id]);
  const text = await exported({}, other);
  const { keys } = await mustCall(planes.controlUrl, 'GET', '/v1/audit-log', { token: other.token });
  const { code, says } = await verified(text, '--key', keys[0].verifier_key);
  assert.deepEqual([code, /Deleted: the event \d+ is missing/.test(says)], [1, true], says);
});

test('a client that leaves before the file begins is not logged as a failure of the service', async () => {
  await sealed();
  const blocker = await planes.database.client();
  await blocker.query('begin; lock table audit_leaves in access exclusive mode');
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' };
  const asked = fetch(`${planes.controlUrl}/v1/audit-events/export`, { method: 'POST', body: '{}', headers, signal: leaving.signal });
  await waitUntil('the export waits', async () => {
    const { rows } = await owner.query<{ waits: boolean }>(
      "select count(*) > 0 as waits from pg_locks where not granted and relation = 'audit_leaves'::regclass",
    );
    return rows[0]?.waits === true;
  });
  leaving.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  await sleep(300);
  await blocker.query('rollback');
  await blocker.end();
  await sealed();
  await exported();
  assert.deepEqual(
    planes
      .logs()
      .split('\n')
      .filter((line) => line.includes('INTERNAL_ERROR')),
    [],
  );
});

test('filters and times omit events and keep the proof of the others', async () => {
  await sealed();
  const all = findEvents(await exported());
  const [type, from] = ['agent.created', all[2].occurred_at];
  const text = await exported({ filter: { type: [type, 'workspace.created'], actor_id: tenant.user.id }, from });
  const wanted = all.filter((event) => [type, 'workspace.created'].includes(event.type) && event.occurred_at >= from);
  assert.ok(wanted.length > 0);
  assert.deepEqual(
    findEvents(text),
    wanted.filter(({ actor }) => actor.id === tenant.user.id),
  );
  assert.deepEqual(getManifest(text).filter, { type: [type, 'workspace.created'], actor_id: tenant.user.id, from });
  const { code, says } = await verified(text, '--part');
  assert.equal(code, 0, says);
  const later = await exported({ from: '2099-01-01T00:00:00.000Z' });
  assert.deepEqual([findEvents(later).length, (await verified(later, '--part')).code], [0, 0]);
  const refused = await call(planes.controlUrl, 'POST', '/v1/audit-events/export', { token: tenant.token, body: { from: 'yesterday' } });
  assert.deepEqual([refused.status, refused.json.error.details.faults[0].pointer], [400, '/from']);
});

test('in a partial log by time, neighbouring hashes represent the events before and after', async () => {
  const other = await newTenant(planes);
  const hourMs = 3_600_000;
  for (const agoMs of [30 * hourMs, 20 * hourMs, 10 * hourMs]) {
    await fill(other, 40, { agoMs });
    await sealed(other);
  }
  const time = (agoMs: number) => new Date(Date.now() - agoMs).toISOString();
  const text = await exported({ from: time(21 * hourMs), to: time(19 * hourMs) }, other);
  const { from, to, outside, events } = getManifest(text);
  assert.deepEqual([to - from, events, outside.length > 2], [40, 40, true]);
  const { keys } = await mustCall(planes.controlUrl, 'GET', '/v1/audit-log', { token: other.token });
  const { code, says } = await verified(text, '--key', keys[0].verifier_key, '--part');
  assert.equal(code, 0, says);
});

test('a CSV has the same fields in each record, no formulas, and matches the recorded file', async () => {
  await fill(tenant, 3, { name: '=HYPERLINK("https://evil.example")', data: '{"note": "a \\"b\\"\\r\\n, c"}' });
  await sealed();
  const text = await exported({ format: 'CSV', filter: { type: ['action.allowed'], subject_id: 'act_2' } });
  const records = text.split('\r\n').slice(0, -1);
  const read = records.map((record) => [...record.matchAll(/("(?:[^"]|"")*"|[^,"]*)(?:,|$)/g)].map(([, field]) => field ?? ''));
  assert.deepEqual(new Set(read.map((fields) => fields.slice(0, 16).length)), new Set([16]));
  assert.ok(text.includes(`"'=HYPERLINK(""https://evil.example"")"`), text.slice(0, 2_000));
  assert.ok(!/(^|,)"?[=+@-]/m.test(text), 'a formula');
  assert.equal(records.filter((record) => record.includes('"action.allowed","20')).length, 2);
  const manifest = JSON.parse((read.at(-1)?.[15] ?? '').slice(1, -1).replaceAll('""', '"'));
  assert.deepEqual([manifest.format, manifest.events], ['svc-audit-export-csv/1', 2]);
  assert.equal(manifest.sha256, bytesBefore(text, records.at(-1) ?? ''));
  const told = (await toldOf()).slice(-2);
  assert.equal(told[0]?.request_id, told[1]?.request_id);
  assert.equal(told[0]?.actor_id, tenant.user.id);
  const [begun, ended] = told.map(({ data }) => data);
  assert.deepEqual([begun?.phase, begun?.format, begun?.filter], ['begun', 'CSV', { type: ['action.allowed'], subject_id: 'act_2' }]);
  assert.deepEqual([ended?.phase, ended?.events, ended?.sha256], ['completed', 2, manifest.sha256]);
});

test('each line of an OCSF export, the manifest included, is an event that the published schema accepts', async () => {
  await sealed();
  const text = await exported({ format: 'OCSF', filter: {} });
  const lines = listLines(text).map((line) => JSON.parse(line));
  assert.ok(lines.length > 3);
  for (const line of lines) assert.deepEqual(listOcsfFaults(line), [], JSON.stringify(line));
  const created = lines.find(({ metadata }) => metadata.event_code === 'agent.created');
  assert.deepEqual([created.class_uid, created.type_uid, created.metadata.tenant_uid], [3004, 300_401, tenant.organization_id]);
  const { manifest } = lines.at(-1).unmapped;
  assert.equal(manifest.sha256, bytesBefore(text, listLines(text).at(-1) ?? ''));
  assert.equal(manifest.events, lines.length - 1);
});

/** Starts an export and does not read it to the end. */
const begun = async (by: Tenant) => {
  const abort = new AbortController();
  const answer = await fetch(`${planes.controlUrl}/v1/audit-events/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: abort.signal,
  });
  const reader = answer.body?.getReader();
  await reader?.read();
  return { status: answer.status, reader, leave: () => abort.abort() };
};

test('an organization runs two at once; a slow reader holds no database connection; an aborted one is recorded as such', async () => {
  const large = await newTenant(planes);
  await fill(large, MANY, { data: LARGE });
  await sealed(large);
  const [first, second] = [await begun(large), await begun(large)];
  assert.deepEqual([first.status, second.status], [200, 200]);
  const third = await call(planes.controlUrl, 'POST', '/v1/audit-events/export', { token: large.token, body: {} });
  assert.deepEqual([third.status, third.json.error.code], [429, 'RATE_LIMITED']);
  await exported({ format: 'CSV', filter: { type: ['agent.created'] } });
  await waitUntil('no connection is held', async () => {
    const { rows } = await owner.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    return rows[0]?.n === 0;
  });
  first.leave();
  await waitUntil('it is told that it broke off', async () => (await toldOf(large)).some(({ data }) => data.phase === 'broken_off'));
  assert.ok((await toldOf(large)).every(({ data }) => data.phase !== 'completed'));
  await mustCall(planes.controlUrl, 'POST', '/v1/auth/logout', { token: large.token, body: {} });
  const rest: Buffer[] = [];
  await assert.rejects(async () => {
    for (;;) {
      const part = await second.reader?.read();
      if (part === undefined || part.done) return;
      rest.push(Buffer.from(part.value));
      await sleep(40);
    }
  });
  assert.ok(!Buffer.concat(rest).includes('"manifest"'));
});

test('a caller limited to part of the organization cannot export', async () => {
  const workspaces = await mustCall(planes.controlUrl, 'GET', '/v1/workspaces', { token: tenant.token });
  const workspace = (workspaces.items ?? workspaces)[0].id;
  const narrowed = await call(planes.controlUrl, 'POST', '/v1/audit-events/export', {
    token: tenant.token,
    body: {},
    headers: { 'x-svc-workspace': workspace },
  });
  assert.deepEqual([narrowed.status, narrowed.json?.error?.code], [403, 'PERMISSION_DENIED'], narrowed.text.slice(0, 300));
});
