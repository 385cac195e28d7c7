import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { createEgress, type EgressSettings } from '../create-egress.ts';
import type { EgressResult } from '../requests/egress-request.ts';
import { newOpenCounts } from './open-counts.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Starts a peer whose responses depend on the path, and counts its connections. */
const listen = async (settings: Partial<EgressSettings> = {}) => {
  const sockets: Socket[] = [];
  const answers: Record<string, (response: ServerResponse) => unknown> = {
    '/': (response) => response.end('ok'),
    '/large': (response) => response.end('x'.repeat(5_000)),
    '/closes': (response) => response.writeHead(200, { connection: 'close' }).end('ok'),
    '/more': (response) => {
      response.socket?.cork();
      response.end('ok');
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      response.socket?.uncork();
    },
    '/slow': (response) => setTimeout(() => response.end('ok'), 300),
  };
  let isDeaf = false;
  const server = createServer((request, response) => {
    if (isDeaf && sockets.indexOf(request.socket) < sockets.length - 1) request.socket.resetAndDestroy();
    else answers[request.url ?? '']?.(response);
  });
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: ['127.0.0.0/8'],
    responseMaxBytes: 4_096,
    readsAtOnce: true,
    ...settings,
  });
  open.push(
    () => egress.close(),
    () => server.closeAllConnections(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  const call = (keepFor: string | undefined, path = '/', host = '127.0.0.1', tenant = 'org_1'): Promise<EgressResult> =>
    egress.call({
      tenant,
      method: 'POST',
      url: `http://${host}:${port}${path}`,
      headers: {},
      body: '{}',
      ...(keepFor ? { keepFor } : {}),
    });
  return {
    call,
    connections: () => sockets.length,
    stillOpen: () => sockets.filter((socket) => !socket.destroyed).length,
    /** Resets every request on a connection that is not the newest. */
    goDeaf: () => {
      isDeaf = true;
    },
  };
};

test('reuses a connection for calls of one word to one destination, and for no other tenant', async () => {
  const { call, connections } = await listen();
  for (let n = 0; n < 3; n += 1) assert.equal((await call('whs_1')).kind, 'answered');
  assert.equal(connections(), 1);
  await call('whs_2');
  await call(undefined);
  await call('whs_1', '/', '127.0.0.2');
  await call('whs_1', '/', '127.0.0.1', 'org_2');
  assert.equal(connections(), 5);
  await Promise.all([call('whs_1', '/slow'), call('whs_1', '/slow')]);
  assert.equal(connections(), 6, 'two at once are two');
});

test('calls the new address of a name, even if a connection is open', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const { call, connections } = await listen({ lookup: async () => [{ address: addresses.shift() ?? '10.0.0.1', family: 4 }] });
  await call('whs_1', '/', 'receiver.test');
  await call('whs_1', '/', 'receiver.test');
  assert.equal(connections(), 2);
  assert.equal((await call('whs_1', '/', 'receiver.test')).kind, 'unreachable', 'and not at all where it may not be');
});

test('does not reuse a connection after a response that was not read to its end, or that ends it', async () => {
  const { call, connections } = await listen();
  assert.equal((await call('whs_1', '/large')).kind, 'failed');
  assert.equal((await call('whs_1', '/closes')).kind, 'answered');
  await call('whs_1');
  assert.equal(connections(), 3);
});

test('does not reuse a connection after extra bytes that would begin the next response', async () => {
  const { call, connections } = await listen();
  assert.equal((await call('whs_1', '/more')).kind, 'answered');
  assert.equal((await call('whs_1')).kind, 'answered');
  assert.equal(connections(), 2);
});

test('reports a kept connection that its peer closed, and never one of its own', async () => {
  const { call, goDeaf, connections } = await listen();
  await Promise.all([call('whs_1', '/slow'), call('whs_1', '/slow')]);
  await sleep(LIMITS.egress.closedUnusedMs + 20);
  goDeaf();
  const results = await Promise.all([call('whs_1', '/slow'), call('whs_1', '/slow')]);
  assert.equal(connections(), 2);
  const stale = results.filter((result) => result.kind === 'failed');
  assert.deepEqual(
    stale.map((result) => result.kind === 'failed' && [result.stale, result.sent]),
    [[true, true]],
  );
  for (let n = 0; n < 2; n += 1) assert.equal((await call('whs_1')).kind, 'answered');
  assert.equal(connections(), 4, 'none is kept there for a while');
});

test('replaces the longest-idle connection of the same tenant over its bound, and none of another tenant', async () => {
  const { call, connections, stillOpen } = await listen({ keptIdleMs: 30_000 });
  const max = LIMITS.egress.keptConnectionsPerOrganizationMax;
  await call('whs_other', '/', '127.0.0.1', 'org_2');
  for (let n = 0; n < max; n += 1) await call(`whs_${n}`);
  assert.deepEqual([connections(), stillOpen()], [max + 1, max + 1]);
  await call('whs_0');
  await call('whs_new');
  await waitUntil('one is closed', () => stillOpen() <= max + 1);
  for (const word of ['whs_new', 'whs_0', 'whs_2']) await call(word);
  await call('whs_other', '/', '127.0.0.1', 'org_2');
  assert.equal(connections(), max + 2, 'all others are there');
  await call('whs_1');
  assert.equal(connections(), max + 3, 'the one that had waited longest was closed');
});

test('bounds the connections that a tenant keeps, and by what it leaves to others', () => {
  const { keptConnectionsMax, keptConnectionsPerOrganizationMax } = LIMITS.egress;
  const counts = newOpenCounts();
  for (let n = 0; n < keptConnectionsPerOrganizationMax; n += 1) counts.opened('org_1');
  assert.ok(counts.mayKeep('org_1'));
  counts.opened('org_1');
  assert.ok(!counts.mayKeep('org_1'));
  for (let n = 0; counts.mayKeep('org_2') && n < keptConnectionsMax; n += 1) counts.opened('org_2');
  for (let n = 0; counts.mayKeep('org_3') && n < keptConnectionsMax; n += 1) counts.opened('org_3');
  assert.ok(counts.mayKeep('org_4'), 'a newcomer finds room');
  counts.closed('org_1');
  assert.ok(!counts.mayKeep('org_3'));
});
