import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionBounds } from './bound-connections.ts';
import { getConnection } from './connection.ts';
import { newServer } from './new-server.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Answers at once, except for `/slow`; `/of/<organization>` authenticates as that organization. */
const handle: RequestListener = (asked, answer) => {
  const [, organization] = /^\/of\/(\w+)/.exec(asked.url ?? '') ?? [];
  if (organization !== undefined) getConnection(asked.socket)?.noteProof(organization);
  if (!asked.url?.endsWith('/slow')) asked.resume().once('end', () => answer.end('ok'));
};

const listen = async (bounds: ConnectionBounds): Promise<number> => {
  const server = newServer(handle, bounds);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

const open = async (port: number, localAddress: string): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** True if the request was answered and not refused because of its connection. */
const answered = async (socket: Socket, text: string): Promise<boolean> => {
  if (socket.closed) return false;
  socket.write(text);
  return Promise.race([
    once(socket, 'data').then(([data]) => !/^HTTP\/1.1 (429|503) /.test(String(data))),
    once(socket, 'close').then(() => false),
    sleep(30_000, false, { ref: false }),
  ]);
};

/** Opens a connection that is authenticated as an organization and was answered. */
const known = async (port: number, address: string, organization: string): Promise<Socket> => {
  const socket = await open(port, address);
  assert.equal(await answered(socket, GET(`/of/${organization}`)), true);
  return socket;
};

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('at the limit', () => {
  test('the largest holder gives one up, the longest unused first, and small holders stay, however long they were idle', async () => {
    const port = await listen({ totalMax: 20, perAddressMax: 12 });
    const innocent = await known(port, '127.0.0.1', 'small');
    const held: Socket[] = [];
    for (const index of times(30)) held.push(await known(port, `127.0.0.${66 + (index % 2)}`, 'large'));
    for (let waited = 0; waited < 3_000 && !held[0]?.closed; waited += 1) await sleep(10);
    assert.equal(held[0]?.closed, true);
    assert.equal(held.at(-1)?.closed, false);
    assert.equal(await answered(innocent, GET('/')), true);
  });

  test('an organization gets no more by many addresses', async () => {
    const port = await listen({ totalMax: 20, perAddressMax: 20 });
    const innocents: Socket[] = [];
    for (const _ of times(4)) innocents.push(await known(port, '127.0.0.1', 'small'));
    for (const index of times(30)) await known(port, `127.0.1.${1 + index}`, 'large');
    for (const innocent of innocents) assert.equal(await answered(innocent, GET('/')), true);
  });

  test('a delayed body is no work, and gives way to a newcomer', async () => {
    const port = await listen({ totalMax: 10, perAddressMax: 10 });
    for (const index of times(10)) {
      const socket = await open(port, `127.0.0.${66 + (index % 2)}`);
      socket.write('POST /of/large HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
      await sleep(5);
    }
    await sleep(100);
    assert.equal(await answered(await open(port, '127.0.0.1'), GET('/')), true);
  });

  test('a part is reserved for addresses with few, even if all others are at work', async () => {
    const port = await listen({ totalMax: 40, perAddressMax: 40 });
    for (const index of times(60)) (await open(port, `127.0.0.${66 + (index % 2)}`)).write(GET('/of/large/slow'));
    await sleep(100);
    assert.equal(await answered(await open(port, '127.0.0.1'), GET('/')), true);
  });
});

test('an address that reconnects repeatedly stays within its limit, without delaying others', async () => {
  const port = await listen({ totalMax: 100, perAddressMax: 100, opened: { atOnceMax: 20, perSecondMax: 0.01 } });
  const comeBack = async (): Promise<boolean> => {
    // A refused client may receive the refusal before its connect event.
    const socket = await open(port, '127.0.0.66').catch(() => undefined);
    const isAnswered = socket !== undefined && (await answered(socket, GET('/')));
    socket?.destroy();
    return isAnswered;
  };
  const told: boolean[] = [];
  for (const _ of times(25)) told.push(await comeBack());
  assert.deepEqual(told, [...times(20).map(() => true), ...times(5).map(() => false)]);
  assert.equal(await answered(await open(port, '127.0.0.1'), GET('/')), true);
});
