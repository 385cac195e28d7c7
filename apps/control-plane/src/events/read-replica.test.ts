import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReplicatedServer, startReplicatedServer } from '@svc/testing/database/replicated-server.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant, type Tenant } from '@svc/testing/people/tenant.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

const LAG_MAX_SECONDS = 5;

let server: ReplicatedServer;
let planes: Planes;
let tenant: Tenant;
let worker: RunningProcess;
let owner: pg.Client;
before(async () => {
  server = await startReplicatedServer();
  const replica = new URL(server.replicaUrl);
  replica.username = '';
  replica.password = '';
  const env = { SVC_READ_DATABASE_URL: replica.href, SVC_READ_LAG_MAX_SECONDS: String(LAG_MAX_SECONDS) };
  planes = await startPlanes({ gateways: 0, jobs: false, database: server.database, env });
  worker = await startWorker(server.database);
  owner = await server.database.client();
  tenant = await newTenant(planes);
});
after(async () => {
  await worker?.stop();
  await owner?.end();
  await planes?.stop();
  await server?.remove();
});

/** Returns the ids of the newest events, newest first. Each export adds one, so the list may be full. */
const search = async (): Promise<string[]> => {
  const { status, json, text } = await call(planes.controlUrl, 'GET', '/v1/audit-events?limit=100', { token: tenant.token });
  assert.equal(status, 200, text);
  return json.data.map(({ id }: { id: string }) => id);
};

const rename = (name: string) =>
  newControlClient(planes.controlUrl, tenant.token).updateWorkspace({ params: { workspaceId: tenant.workspace_id }, body: { name } });

test('a search reads from the replica while it is recent enough, and otherwise from the primary', async () => {
  await waitUntil('the replica has events', async () => (await search()).length > 0);
  await server.pauseReplay();
  const earlier = await search();
  await rename('Paused');
  assert.deepEqual(await search(), earlier, 'the replica answers without the newest event');
  await waitUntil('the lag exceeds its limit', async () => (await search()).length > earlier.length);
  await server.resumeReplay();
  await waitUntil('the replica catches up', async () => (await search()).length > earlier.length);
});

/**
 * Counts what two reads return while replay is paused, with a change of the primary between them. A busy machine may exceed the lag meanwhile; then
 * it is tried again.
 */
const countWhilePaused = async (count: () => Promise<number>, change: (earlier: number) => Promise<void>): Promise<number[]> => {
  for (let tries = 1; ; tries += 1) {
    // The service looks at the replica now and then, and may still read the primary because of an earlier pause.
    await sleep(3_000);
    // The lag counts from the last change that was replayed, so one is made right before.
    await owner.query('select pg_current_xact_id()');
    await sleep(300);
    const pausedAt = performance.now();
    await server.pauseReplay();
    const earlier = await count();
    await change(earlier);
    const later = await count();
    // Right after a pause that exceeded the lag, the first read may still be of the primary.
    if (performance.now() - pausedAt < LAG_MAX_SECONDS * 1000 && later >= earlier) return [earlier, later];
    assert.ok(tries < 5, 'two reads and a change take longer than the lag');
    await server.resumeReplay();
    await waitUntil('the replica catches up', async () => (await count()) > earlier);
  }
};

test('exportAuditEvents is read from the replica while it is recent enough, and from the primary when it is not', async () => {
  const countExported = async (): Promise<number> => {
    const { status, text } = await call(planes.controlUrl, 'POST', '/v1/audit-events/export', { token: tenant.token, body: {} });
    assert.equal(status, 200, text);
    return JSON.parse(text.trim().split('\n').at(-1) ?? '{}').manifest.tree_size;
  };
  const countSealed = async (): Promise<number> => {
    const { rows } = await owner.query('select count(*)::int as n from audit_leaves where organization_id = $1', [tenant.organization_id]);
    return rows[0].n;
  };
  await waitUntil('the replica has sealed events', async () => {
    const answer = await call(planes.controlUrl, 'POST', '/v1/audit-events/export', { token: tenant.token, body: {} });
    return answer.status === 200;
  });
  const [earlier = 0, later] = await countWhilePaused(countExported, async (from) => {
    await rename('Exported later');
    await waitUntil('the event is sealed at the primary', async () => (await countSealed()) > from);
  });
  assert.equal(later, earlier, 'the replica exports without the newest event');
  await waitUntil('the primary is exported', async () => (await countExported()) > earlier);
  await server.resumeReplay();
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
  await waitUntil('the primary is read', async () => (await search())[0] !== before[0]);
});

test('a search works without the replica', async () => {
  await server.stopReplica();
  const before = await search();
  await rename('After the stop');
  await waitUntil('the primary is read after the stop', async () => (await search())[0] !== before[0]);
});
