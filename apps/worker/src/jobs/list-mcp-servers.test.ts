import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MCP_ENV, type McpScene, newMcpScene } from '@svc/testing/agents/mcp-scene.ts';
import { startWorker } from '@svc/testing/events/start-worker.ts';
import { echoTool } from '@svc/testing/peers/mcp-server.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
let scene: McpScene;
before(async () => {
  planes = await startPlanes({ env: MCP_ENV });
  database = await planes.database.client();
  scene = await newMcpScene(planes);
});
after(async () => {
  await scene?.close();
  await database?.end();
  await planes?.stop();
});

const setDue = () => database.query('update mcp_servers set listing_due_at = now() where id = $1', [scene.serverId]);
const server = async () => (await scene.owner('GET', `/v1/mcp/servers/${scene.serverId}`)).json;

test('a server is listed when it is due, without an event if nothing changed, and quarantined if a definition did', async () => {
  await scene.authorize('echo');
  const events = async () => (await scene.owner('GET', '/v1/audit-events?type=mcp.tools_discovered')).json.data.length;
  const [before, listings] = [await events(), scene.peer.listings];
  await setDue();
  await waitUntil('it is listed', () => scene.peer.listings > listings);
  await waitUntil(
    'it is settled',
    async () => Date.parse((await database.query('select listing_due_at from mcp_servers')).rows[0].listing_due_at) > Date.now() + 120_000,
  );
  assert.equal(await events(), before);
  const follower = await startWorker(planes.database);
  scene.peer.tools = [echoTool('echo', { description: 'Another.' })];
  await setDue();
  await waitUntil('it is quarantined', async () => (await server()).status === 'QUARANTINED');
  const [event] = (await scene.owner('GET', '/v1/audit-events?type=mcp.server_quarantined')).json.data;
  assert.deepEqual(event.actor, { type: 'SYSTEM', id: 'system', name: null });
  const noticed = async () => (await scene.owner('GET', '/v1/notifications?kind=mcp_server_quarantined')).json.data;
  await waitUntil('an owner is notified', async () => (await noticed()).length > 0);
  await follower.stop();
  const [notification] = await noticed();
  assert.match(notification.sentence, /^The MCP server .+ was quarantined: /);
  assert.equal(notification.page, `/mcp/${scene.serverId}`);
});

test('a server that cannot be listed is retried with backoff, and states the reason', async () => {
  scene.peer.before = (_headers, response) => {
    response.writeHead(503).end();
    return true;
  };
  for (const failures of [1, 2, 3]) {
    await setDue();
    await waitUntil(
      'it failed',
      async () => (await database.query('select listing_failures from mcp_servers')).rows[0].listing_failures === failures,
    );
  }
  const { rows } = await database.query('select extract(epoch from listing_due_at - now()) as seconds from mcp_servers');
  assert.ok(Number(rows[0].seconds) > 900, `${rows[0].seconds} s`);
  assert.equal((await server()).listing_failure.kind, 'PROTOCOL');
});
