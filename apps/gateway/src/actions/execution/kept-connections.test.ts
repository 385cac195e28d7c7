import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { until } from '@svc/testing/time/until.ts';

/** Who called over which connection, in the order of the calls. */
const calls: { readonly who: string; readonly socket: Socket }[] = [];
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    calls.push({ who: String(request.headers['x-who']), socket: request.socket });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
// As long as anybody may keep one: what is closed sooner is closed by the gateway.
server.keepAliveTimeout = 0;

let planes: Planes;
before(async () => {
  planes = await leasePlanes({ env: { GATEWAY_ALLOW_REAL_EGRESS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' } });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await planes.stop();
});

/** An organization with a tool that calls the same place as all others, and says for whom. */
const newCaller = async (who: string): Promise<Governed> => {
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const execution = { method: 'POST', url: `http://${at}/`, headers: { 'x-who': who } };
  return newGoverned(planes, { tool: { kind: 'HTTP', destination_allowlist: [at], execution } });
};

const ROUNDS = 30;

test('calls of one organization go over one connection, never over one of another, and it is closed soon after the last', async () => {
  const [one, other] = [await newCaller('one'), await newCaller('other')];
  const callOver = async ({ act }: Governed): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) assert.equal((await act({ parameters: {} })).status, 200);
  };
  await Promise.all([one, other].map(callOver));
  const socketsOf = (who: string): Set<Socket> => new Set(calls.filter((call) => call.who === who).map(({ socket }) => socket));
  assert.deepEqual(
    [...socketsOf('one')].filter((socket) => socketsOf('other').has(socket)),
    [],
  );
  for (const who of ['one', 'other']) assert.ok(socketsOf(who).size < ROUNDS, 'no connection was used again');
  await until('the connections are closed', () => calls.every(({ socket }) => socket.destroyed));
});
