import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newLogger } from '@svc/program/log/new-logger.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { deleteEndedOrganizations } from '../../jobs/delete-organizations.ts';
import { type JobDeps, runJob } from '../../jobs/job.ts';

let planes: Planes;
let db: pg.Client;
let governed: Governed;
let deps: JobDeps;
const opened: Database[] = [];
before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
  const as = (role: DatabaseRole): Database => {
    const database = connect({ url: planes.database.url, role, ...testLogin(role), connectionsMax: 2, timeoutMs: 10_000 });
    opened.push(database);
    return database;
  };
  const log = newLogger('test', 'silent', { write: () => {} });
  deps = { database: as('svc_app'), identity: as('svc_identity'), log, clock: () => new Date() };
});
beforeEach(async () => {
  governed = await newGoverned(planes);
});
after(async () => {
  await Promise.all(opened.map((database) => database.destroy()));
  await db.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const deleteOrganization = (body: object = {}) =>
  governed.owner('DELETE', '/v1/organization', { confirm_name: governed.tenant.organization.name, reason: 'we leave', ...body });
const restoreOrganization = () => governed.owner('POST', '/v1/organization/restore');
const readEvents = async (id: string) =>
  (
    await db.query(
      "select severity, data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = 'organization.updated' order by id",
      [id],
    )
  ).rows;
const DAY_MS = 86_400_000;

/** Blocks the job of the planes for an organization until the connection ends. */
const holdSweep = async (job: string, organizationId: string): Promise<pg.Client> => {
  const holder = await planes.database.client();
  await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [`svc sweep ${job} ${organizationId}`]);
  return holder;
};

test('an organization is deleted by its name and a recent step-up, and stops at once: agents are refused, nothing can be changed, everything can be read', async () => {
  const { tenant, act } = governed;
  for (const confirm_name of [tenant.organization.name.toUpperCase(), `${tenant.organization.name} `, '', tenant.organization_id])
    assert.deepEqual((await deleteOrganization({ confirm_name })).json.error.details.faults[0].pointer, '/confirm_name', confirm_name);
  assert.equal((await act({})).status, 200);
  const { status, json } = await deleteOrganization();
  assert.equal(status, 200);
  assert.ok(Math.abs(Date.parse(json.deletes_at) - Date.now() - 7 * DAY_MS) < 60_000, json.deletes_at);
  for (const gateway of [0, 1]) assert.equal(getCode(await act({}, { gateway })), 'ENVIRONMENT_PAUSED');
  for (const path of ['/v1/organization', '/v1/agents', '/v1/audit-events', '/v1/auth/session'])
    assert.equal((await governed.owner('GET', path)).status, 200, path);
  const changes = [
    ['PATCH', '/v1/organization', { name: 'Other' }],
    ['POST', '/v1/workspaces', { name: 'One more' }],
    ['POST', '/v1/api-keys', { name: 'Key', role_id: getBuiltInRole('viewer').id }],
    ['PATCH', `/v1/agents/${governed.agent.id}`, { description: 'x' }],
  ] as const;
  for (const [method, path, body] of changes) {
    const refused = await governed.owner(method, path, body);
    assert.deepEqual([getCode(refused), refused.json.error.details.deletes_at], ['INVALID_STATE_TRANSITION', json.deletes_at], path);
  }
  assert.equal(getCode(await deleteOrganization()), 'INVALID_STATE_TRANSITION');
  const [event] = await readEvents(tenant.organization_id);
  assert.deepEqual(event, {
    severity: 'critical',
    data: { before: { deletes_at: null }, after: { deletes_at: json.deletes_at }, reason: 'we leave' },
  });
});

test('a person who signs in restores it within the grace period, and the agents act again', async () => {
  const { tenant, act } = governed;
  assert.equal(getCode(await restoreOrganization()), 'INVALID_STATE_TRANSITION');
  await deleteOrganization();
  const { token } = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', {
    body: { email: tenant.email, password: tenant.password },
  });
  assert.equal(getCode(await call(planes.controlUrl, 'POST', '/v1/organization/restore', { token })), 'STEP_UP_REQUIRED');
  await newControlClient(planes.controlUrl, token).stepUp({ body: { password: tenant.password } });
  assert.equal((await newControlClient(planes.controlUrl, token).restoreOrganization()).deletes_at, null);
  for (const gateway of [0, 1]) assert.equal((await act({}, { gateway })).status, 200);
  assert.equal((await governed.owner('POST', '/v1/workspaces', { name: 'One more' })).status, 201);
});

test('a key, a limited caller and a person without a recent step-up cannot delete the organization', async () => {
  const { tenant } = governed;
  const { token } = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', {
    body: { email: tenant.email, password: tenant.password },
  });
  const body = { confirm_name: tenant.organization.name, reason: 'x' };
  const send = (headers: Record<string, string>, session: string) =>
    call(planes.controlUrl, 'DELETE', '/v1/organization', { token: session, body, headers });
  assert.equal(getCode(await send({}, token)), 'STEP_UP_REQUIRED');
  assert.equal(getCode(await send({ 'x-svc-workspace': tenant.workspace_id }, tenant.token)), 'PERMISSION_DENIED');
  const key = await newControlClient(planes.controlUrl, tenant.token).createApiKey({
    body: { name: 'Key', role_id: getBuiltInRole('admin').id },
  });
  assert.equal(getCode(await send({}, key.token)), 'PERMISSION_DENIED');
});

test('after the grace period all sign-ins fail, and a job removes it, continuing where a killed one stopped', async () => {
  const { tenant, act } = governed;
  const { organization_id: id } = tenant;
  const holder = await holdSweep('delete-organizations', id);
  await deleteOrganization();
  await db.query("update organizations set deletes_at = now() - interval '1 second' where id = $1", [id]);
  assert.equal(getCode(await governed.owner('GET', '/v1/organization')), 'UNAUTHENTICATED');
  assert.equal(getCode(await restoreOrganization()), 'UNAUTHENTICATED');
  assert.equal(
    getCode(await call(planes.controlUrl, 'POST', '/v1/auth/login', { body: { email: tenant.email, password: tenant.password } })),
    'INVALID_CREDENTIALS',
  );
  assert.ok(['ENVIRONMENT_PAUSED', 'UNAUTHENTICATED'].includes(getCode(await act({}))));
  const readCertificate = async () =>
    (await db.query('select *, began_at::text as began from deletion_certificates where organization_id = $1', [id])).rows[0];
  // Killed after its first step: what it did stays, and the next one does the rest.
  let asked = 0;
  await runJob(deps, { ...deleteEndedOrganizations(5), name: 'tried' }, () => {
    asked += 1;
    return asked > 2;
  });
  const half = await readCertificate();
  assert.equal(half.completed_at, null);
  assert.ok(Object.keys(half.counts).length > 0);
  await runJob(deps, { ...deleteEndedOrganizations(1_000), name: 'tried' });
  await holder.end();
  const whole = await readCertificate();
  assert.equal(whole.began, half.began);
  for (const [table, count] of Object.entries(half.counts)) assert.ok(whole.counts[table] >= Number(count), table);
  for (const table of ['agents', 'members', 'sessions', 'tools', 'policies', 'users', 'organizations'])
    assert.ok(whole.counts[table] >= 1, table);
  const times = Object.fromEntries(['asked_at', 'began_at', 'completed_at'].map((name) => [name, whole[name].toISOString()]));
  const { organization_id, asked_by, reason, counts } = whole;
  const told = { organization_id, asked_by, reason, counts, ...times };
  assert.deepEqual([asked_by, reason, whole.digest], [tenant.user.id, 'we leave', sha256Hex(canonicalJson(told))]);
  const last = (await readEvents(id)).at(-1);
  assert.deepEqual([last.data.after, last.data.certificate], [{ deleted: true }, whole.digest]);
  assert.deepEqual((await db.query('select from organizations where id = $1', [id])).rowCount, 0);
  assert.deepEqual((await db.query('select from users where id = $1', [tenant.user.id])).rowCount, 0);
  assert.ok(((await db.query('select from audit_events where organization_id = $1', [id])).rowCount ?? 0) > 10);
  // The address is free again.
  const again = { email: tenant.email, password: tenant.password, name: 'Again', organizationName: 'Again' };
  assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/signup', { body: again })).status, 201);
});
