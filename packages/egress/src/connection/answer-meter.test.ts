import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEgress } from '../create-egress.ts';
import type { EgressResult } from '../requests/egress-request.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const REQUEST_END = '\r\n\r\n{}';
const OWN = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nown';
const EVIL = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';

/** A peer of raw bytes that speaks like this on its first connection, at each whole request, and as it should on every other. */
const listen = async (speak: (socket: Socket) => unknown) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const isFirst = sockets.push(socket) === 1;
    let heard = '';
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      heard += piece.toString('latin1');
      if (!heard.endsWith(REQUEST_END)) return;
      heard = '';
      if (isFirst) speak(socket);
      else socket.write(OWN);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const egress = createEgress({ allowRealEgress: true, allowCidrs: ['127.0.0.1/32'], timeoutMs: 5_000 });
  open.push(
    () => egress.close(),
    () => sockets.forEach((socket) => void socket.destroy()),
    () => server.close(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const call = (): Promise<EgressResult> =>
    egress.call({ tenant: 'org_1', method: 'POST', url, headers: {}, body: '{}', keepFor: 'a credential' });
  return { call, connections: () => sockets.length };
};

const bodyOf = (result: EgressResult): string => (result.kind === 'answered' ? result.body : JSON.stringify(result));

const WHOLE: readonly (readonly string[])[] = [
  [OWN],
  ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n', 'o', 'wn'],
  ['HTTP/1.1 204 No Content\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nown\r\n0\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '3\r\nown\r\n0\r\n', '\r', '\n'],
];

test('a connection is used again after an answer that was all that came over it', async () => {
  for (const pieces of WHOLE) {
    const { call, connections } = await listen(async (socket): Promise<void> => {
      for (const piece of pieces) {
        socket.write(piece);
        await sleep(5);
      }
    });
    for (let n = 0; n < 3; n += 1) assert.equal((await call()).kind, 'answered', pieces.join('|'));
    assert.equal(connections(), 1, pieces.join('|'));
  }
});

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nown\r\n0\r\n\r\n';

const BESIDE: Readonly<Record<string, string>> = {
  'a byte too many': `${OWN}x`,
  'a second answer': `${OWN}${EVIL}`,
  'the beginning of a second answer': `${OWN}HTTP/1.1 200 OK\r\nx-more: `,
  'a second answer behind chunks': `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nown\r\n0\r\n\r\nHTTP/1.1 2`,
  'an end of line behind chunks': `${CHUNKED}\r\n\r\n`,
  'a trailer behind chunks': CHUNKED.replace(/\r\n$/, 'x-more: y\r\n\r\n'),
  'an interim answer before chunks': `HTTP/1.1 100 Continue\r\n\r\n${CHUNKED}`,
  'an interim answer': `HTTP/1.1 103 Early Hints\r\n\r\n${OWN}`,
  'an answer that ends the connection': 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\nown',
  'one that is kept for too short a time': 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 3\r\n\r\nown',
  'HTTP of before connections were kept': 'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nown',
};

test('a connection over which anything else came is not used again, whatever it was', async () => {
  for (const [what, speech] of Object.entries(BESIDE)) {
    const { call, connections } = await listen((socket) => socket.write(speech));
    assert.equal(bodyOf(await call()), 'own', what);
    assert.equal(bodyOf(await call()), 'own', what);
    assert.equal(connections(), 2, what);
  }
});

test('what is said on a connection that nobody asks over is the answer to nothing', async () => {
  let first: Socket | undefined;
  const { call, connections } = await listen((socket) => {
    first = socket;
    socket.write(OWN);
  });
  assert.equal(bodyOf(await call()), 'own');
  // The next call takes the connection before the bytes are read.
  first?.write(EVIL);
  assert.equal(bodyOf(await call()), 'own');
  assert.equal(connections(), 2);
});

test('a call that finds its connection closed was not sent over it, and goes over another', async () => {
  for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
    let first: Socket | undefined;
    const { call, connections } = await listen((socket) => {
      first = socket;
      socket.write(OWN);
    });
    assert.equal(bodyOf(await call()), 'own');
    if (first) leave(first);
    assert.equal(bodyOf(await call()), 'own');
    assert.equal(connections(), 2);
  }
});

/** Calls a peer that says this at once, so late that the call is asked about once more, which takes longer than the answer. */
const callLate = async (speech: string, may: boolean): Promise<EgressResult> => {
  const server = createServer((socket) => socket.on('error', () => {}).write(speech));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lookup = () => sleep(150, [{ address: '127.0.0.1', family: 4 }]);
  const egress = createEgress({ allowRealEgress: true, allowCidrs: ['127.0.0.1/32'], lookup });
  open.push(
    () => egress.close(),
    () => server.close(),
  );
  const url = `http://receiver.test:${(server.address() as AddressInfo).port}/`;
  return egress.call({ tenant: 'org_1', method: 'POST', url, headers: {}, body: '{}', mayLeave: () => sleep(100, may) });
};

test('an answer that begins before the request has left is no answer to it', async () => {
  const result = await callLate(EVIL, true);
  assert.ok(result.kind === 'failed' && !result.sent, JSON.stringify(result));
});

test('a call that was held back was not sent, whatever the peer said before it', async () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20);
  for (const speech of [interim, 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', EVIL]) {
    const result = await callLate(speech, false);
    assert.ok(result.kind === 'failed' && !result.sent, `${speech} ${JSON.stringify(result)}`);
  }
});
