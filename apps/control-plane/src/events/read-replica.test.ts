import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ReplicatedServer, startReplicatedServer } from '@svc/testing/database/replicated-server.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { until } from '@svc/testing/time/until.ts';

const LAG_MAX_SECONDS = 5;

let server: ReplicatedServer;
let planes: Planes;
let tenant: Tenant;
before(async () => {
  server = await startReplicatedServer();
  const replica = new URL(server.replicaUrl);
  replica.username = '';
  replica.password = '';
  const env = { SVC_READ_DATABASE_URL: replica.href, SVC_READ_LAG_MAX_SECONDS: String(LAG_MAX_SECONDS) };
  planes = await startPlanes({ gateways: 0, jobs: false, database: server.database, env });
  tenant = await newTenant(planes);
});
after(async () => {
  await planes?.stop();
  await server?.remove();
});

const search = async (): Promise<string[]> => {
  const { status, json, text } = await call(planes.controlUrl, 'GET', '/v1/audit-events?limit=100', { token: tenant.token });
  assert.equal(status, 200, text);
  return json.data.map(({ id }: { id: string }) => id);
};

const rename = (name: string) =>
  newControlClient(planes.controlUrl, tenant.token).updateWorkspace({ params: { workspaceId: tenant.workspace_id }, body: { name } });

test('a search reads from the replica while it is recent enough, and otherwise from the primary', async () => {
  await until('the replica has events', async () => (await search()).length > 0);
  await server.pauseReplay();
  const earlier = await search();
  await rename('Paused');
  assert.deepEqual(await search(), earlier, 'the replica answers without the newest event');
  await until('the lag exceeds its limit', async () => (await search()).length > earlier.length);
  await server.resumeReplay();
  await until('the replica catches up', async () => (await search()).length > earlier.length);
});

test('a decision of the service never uses the replica: the next request sees a change', async () => {
  await server.pauseReplay();
  await rename('Seen at once');
  const { text } = await call(planes.controlUrl, 'GET', '/v1/workspaces', { token: tenant.token });
  assert.ok(text.includes('"Seen at once"'), text);
  await server.resumeReplay();
});

test('a promoted replica is not read', async () => {
  await server.promote();
  const before = await search();
  await rename('After the promotion');
  await until('the primary is read', async () => (await search()).length > before.length);
});

test('a search works without the replica', async () => {
  await server.stopReplica();
  const before = await search();
  await rename('After the stop');
  await until('the primary is read after the stop', async () => (await search()).length > before.length);
});
