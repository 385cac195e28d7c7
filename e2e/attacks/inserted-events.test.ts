import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { insertWebhook } from '@svc/testing/events/insert-webhook.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { type OpenedStream, openStream } from '@svc/testing/people/open-stream.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { getPlaneEnvironment, type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let worker: RunningProcess;
let owner: pg.Client;
let tenant: Tenant;
let stream: OpenedStream;
before(async () => {
  const database = await createFreshDatabase();
  planes = await startPlanes({ gateways: 0, database });
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(database));
  owner = await database.client();
  tenant = await newTenant(planes);
  // Its events are copied.
  await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  await insertWebhook(owner, { organizationId: tenant.organization_id, userId: tenant.user.id, url: 'https://receiver.example' });
  stream = await openStream(`${planes.controlUrl}/v1/events/stream`, { authorization: `Bearer ${tenant.token}` });
});
after(async () => {
  await stream.close();
  await worker.stop();
  await owner.end();
  await planes.stop();
  await planes.database.drop();
});

const api = (method: string, path: string, body?: object) =>
  mustCall(planes.controlUrl, method, path, { token: tenant.token, ...(body ? { body } : {}) });
const verify = () => api('POST', '/v1/audit-events/verify', {});
const isSealed = async (id: string): Promise<boolean> =>
  (await owner.query('select from audit_leaves where event_id = $1', [id])).rowCount === 1;
const rejectedReports = async () => (await api('GET', '/v1/audit-events?type=audit.event_rejected')).data;

/** Does something that the service records, and waits until it is sealed and everything before it processed. */
const recordOne = async (): Promise<string> => {
  const { id } = await api('POST', '/v1/workspaces', { name: `Workspace ${newUlid()}` });
  const find = async () => (await api('GET', `/v1/audit-events?subject_id=${id}`)).data[0];
  await waitUntil('the event is there', async () => (await find()) !== undefined);
  const event = await find();
  await waitUntil('it is sealed', () => isSealed(event.id));
  return event.id;
};

/** Ways in which the owner of the database forges an event: each inserts one row with the id $2. */
const FORGERIES: Readonly<Record<string, string>> = {
  'an event of its own': `
    insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
    values ($1, $2, 'agent.created', now(), 'USER', 'usr_1', 'agent', 'agt_1', 'info', 'req_1', 't', '{}')`,
  'an event with a MAC of random bytes': `
    insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data, mac)
    values ($1, $2, 'agent.created', now(), 'USER', 'usr_1', 'agent', 'agt_1', 'info', 'req_1', 't', '{}', substring(sha256('x') for 16))`,
  'an event with a leaf hash and a MAC that are too short': `
    insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data, leaf_hash, mac)
    values ($1, $2, 'agent.created', now(), 'USER', 'usr_1', 'agent', 'agt_1', 'info', 'req_1', 't', '{}', '\\x00', '')`,
  'a copy of a genuine event under another id, with its MAC': `
    insert into audit_events select (jsonb_populate_record(e, jsonb_build_object('id', $2::text, 'transaction_id', pg_current_xact_id()))).* from audit_events e
     where organization_id = $1 and mac is not null order by id limit 1`,
  'a genuine event of another organization, with its MAC': `
    insert into audit_events select (jsonb_populate_record(e, jsonb_build_object('id', $2::text, 'organization_id', $1::text, 'transaction_id', pg_current_xact_id()))).*
      from audit_events e where organization_id <> $1 and mac is not null order by id limit 1`,
  'an event that pretends to be older than the order of transactions': `
    insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data, transaction_id)
    values ($1, $2, 'agent.created', now(), 'USER', 'usr_1', 'agent', 'agt_1', 'info', 'req_1', 't', '{}', '0')`,
};

test('an event that the owner of the database inserts is never sealed or sent, and is reported, and the log continues', async () => {
  await recordOne();
  assert.deepEqual((await verify()).findings, []);
  const forged: string[] = [];
  for (const [way, statement] of Object.entries(FORGERIES)) {
    const id = `evt_${newUlid()}`;
    const { rowCount } = await owner.query(statement, [tenant.organization_id, id]);
    assert.equal(rowCount, 1, way);
    forged.push(id);
  }
  const genuine = await recordOne();
  // Resets the sealer to the beginning, where it mistakes a forged old event for one that it has not processed.
  await owner.query("update feed_positions set transaction_id = '0', id = '' where consumer = 'seal-events'");
  const last = await recordOne();
  for (const [n, id] of forged.entries()) assert.equal(await isSealed(id), false, Object.keys(FORGERIES)[n]);
  const { intact, findings } = await verify();
  assert.equal(intact, false);
  assert.deepEqual(findings.map((each: { event_id: string }) => each.event_id).sort(), forged.toSorted());
  for (const { kind, says } of findings) assert.match(`${kind}: ${says}`, /^INSERTED: The event evt_\w+ was not written by the service/);
  // Feed consumers have received a genuine later event by now, and none of the forged ones.
  const had = () => stream.events.map(({ data }) => data.id);
  await waitUntil('the stream has the last event', () => had().includes(last));
  assert.ok(had().includes(genuine));
  assert.deepEqual(
    had().filter((id) => forged.includes(id)),
    [],
  );
  await newAgent(tenant);
  const deliveries = () => owner.query('select event_id from webhook_deliveries where organization_id = $1', [tenant.organization_id]);
  await waitUntil('the event of a genuine agent is to be delivered', async () => (await deliveries()).rowCount === 1);
  assert.equal((await owner.query('select from webhook_deliveries where event_id = any ($1)', [forged])).rowCount, 0);
  const exported = await fetch(`${planes.controlUrl}/v1/audit-events/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await exported.text();
  assert.ok(text.includes(`"id":"${genuine}"`));
  // The report names them, and is in the record by now.
  for (const id of forged) assert.ok(!text.includes(`"id":"${id}"`), id);
  await waitUntil('it is reported in the record', async () => (await rejectedReports()).length === 1);
  const [report] = await rejectedReports();
  assert.deepEqual([report.severity, report.data.rejected, report.data.total], ['critical', forged.length, forged.length]);
  assert.deepEqual(report.data.event_ids.toSorted(), forged.toSorted());
});

test('a sealed event that is deleted and restored does not hold the log and is not sealed twice', async () => {
  const id = await recordOne();
  await owner.query('create table taken as select * from audit_events where id = $1', [id]);
  await owner.query('delete from audit_events where id = $1', [id]);
  await owner.query(
    "insert into audit_events select (jsonb_populate_record(t, jsonb_build_object('transaction_id', pg_current_xact_id()))).* from taken t",
  );
  await owner.query('drop table taken');
  await recordOne();
  assert.equal((await api('GET', '/v1/audit-log')).held_since, null);
  const { findings } = await verify();
  assert.deepEqual(
    findings.filter((each: { event_id: string }) => each.event_id === id),
    [],
  );
});

test('a restarted worker does not report a rejected event again', async () => {
  const { rows: before } = await owner.query('select sum(rejected)::int as n from audit_rejections');
  await worker.stop();
  worker = await startProcess('apps/worker/src/main.ts', getPlaneEnvironment(planes.database));
  await recordOne();
  const { rows } = await owner.query('select sum(rejected)::int as n from audit_rejections');
  assert.deepEqual(rows, before);
});
