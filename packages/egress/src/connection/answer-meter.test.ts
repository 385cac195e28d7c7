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

/** Starts a peer of raw bytes that responds this way on its first connection, at each whole request, and correctly on every other. */
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

const getBody = (result: EgressResult): string => (result.kind === 'answered' ? result.body : JSON.stringify(result));

const WHOLE: readonly (readonly string[])[] = [
  [OWN],
  ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n', 'o', 'wn'],
  ['HTTP/1.1 204 No Content\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nown\r\n0\r\n\r\n'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '3\r\nown\r\n0\r\n', '\r', '\n'],
];

test('reuses a connection after a response that was all that arrived on it', async () => {
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

test('does not reuse a connection after any other bytes', async () => {
  for (const [what, speech] of Object.entries(BESIDE)) {
    const { call, connections } = await listen((socket) => socket.write(speech));
    assert.equal(getBody(await call()), 'own', what);
    assert.equal(getBody(await call()), 'own', what);
    assert.equal(connections(), 2, what);
  }
});

test('ignores bytes on an idle connection as a response', async () => {
  let first: Socket | undefined;
  const { call, connections } = await listen((socket) => {
    first = socket;
    socket.write(OWN);
  });
  assert.equal(getBody(await call()), 'own');
  // The next call reuses the connection before the bytes are read.
  first?.write(EVIL);
  assert.equal(getBody(await call()), 'own');
  assert.equal(connections(), 2);
});

test('sends a call over a new connection if it finds the kept one closed', async () => {
  for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
    let first: Socket | undefined;
    const { call, connections } = await listen((socket) => {
      first = socket;
      socket.write(OWN);
    });
    assert.equal(getBody(await call()), 'own');
    if (first) leave(first);
    assert.equal(getBody(await call()), 'own');
    assert.equal(connections(), 2);
  }
});

/** Calls a peer that responds at once, while the call is late and has to be allowed again, which takes longer than the response. */
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

test('rejects a response that begins before the request has left', async () => {
  const result = await callLate(EVIL, true);
  assert.ok(result.kind === 'failed' && !result.sent, JSON.stringify(result));
});

test('reports a call that was held back as not sent, even if the peer sent data before', async () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20);
  for (const speech of [interim, 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', EVIL]) {
    const result = await callLate(speech, false);
    assert.ok(result.kind === 'failed' && !result.sent, `${speech} ${JSON.stringify(result)}`);
  }
});
