import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { discardRemainingBody } from './discard-remaining-body.ts';
import { newServer } from './new-server.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

type Seen = { pieces: number; bytesRead: () => number; said: string; socket: Socket };

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
const chunks = (count: number, bytes = 1): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count);
const END = '0\r\n\r\n';

/** Sends as much as is accepted, until there is a response and a little longer. */
const send = async (handle: (seen: Seen) => RequestListener, parts: readonly string[]): Promise<Seen> => {
  const seen = { pieces: 0, bytesRead: () => 0, said: '' } as Seen;
  const server = newServer(handle(seen), { totalMax: 10, perAddressMax: 10 });
  servers.push(server);
  server.on('connection', (taken) => {
    seen.bytesRead = () => taken.bytesRead;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  seen.socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  seen.socket
    .on('error', () => undefined)
    .on('data', (text) => {
      seen.said += text;
    });
  for (const part of parts) seen.socket.write(part);
  for (let waited = 0; waited < 3_000 && !/<.+>/s.test(seen.said); waited += 1) await sleep(10);
  await sleep(100);
  return seen;
};

const reads =
  (seen: Seen): RequestListener =>
  (request, response) => {
    let bytes = 0;
    request.on('data', (piece) => {
      seen.pieces += 1;
      bytes += piece.length;
    });
    request.on('error', (error) => response.end(`<${error.message}>`));
    request.on('end', () => response.end(`<${bytes}>`));
  };

const refuses = (): RequestListener => (request, response) => {
  response.on('finish', () => {
    if (!request.complete) discardRemainingBody(request);
  });
  response.end('<no>');
};

describe('a body in many small pieces', () => {
  test('is not read beyond a few of them, its reader is informed, and the next one of the process is read as usual', async () => {
    const seen = await send(reads, [HEAD, chunks(1_000_000)]);
    assert.ok(seen.pieces <= 64, `${seen.pieces} pieces`);
    assert.ok(seen.bytesRead() <= 200_000, `${seen.bytesRead()} bytes`);
    assert.match(seen.said, /connection: close.*too many small chunks/is);
    seen.socket.destroy();
    await sleep(50);
    for (const _ of [1, 2]) assert.match((await send(reads, [HEAD, chunks(3, 50_000), END])).said, /<150000>/);
  });

  test('does not pass as complete where the received part ends, and nothing after it is read', async () => {
    const seen = await send(reads, [`${HEAD}${chunks(200)}${END}${HEAD}${chunks(1)}${END}`]);
    assert.match(seen.said, /too many small chunks/);
    assert.doesNotMatch(seen.said, /<\d+>/);
  });

  test('that was refused is not read further either, and neither is one without a length', async () => {
    for (const rest of [chunks(1_000_000), chunks(1_000, 65_536)]) {
      const seen = await send(refuses, [HEAD, rest]);
      assert.match(seen.said, /<no>/);
      assert.ok(seen.bytesRead() <= 300_000, `${seen.bytesRead()} bytes`);
    }
  });

  test('is accepted as long as there are few, or they are large enough', async () => {
    assert.match((await send(reads, [HEAD, chunks(60), END])).said, /<60>/);
    assert.match((await send(reads, [HEAD, chunks(500, 200), END])).said, /<100000>/);
  });

  test('that was refused leaves its connection to the next request if it ends soon', async () => {
    const seen = await send(refuses, [HEAD]);
    seen.socket.write(`${chunks(20)}${END}${HEAD}${END}`);
    for (let waited = 0; waited < 3_000 && !/<no>.*<no>/s.test(seen.said); waited += 1) await sleep(10);
    assert.equal(seen.said.match(/<no>/g)?.length, 2);
  });
});
