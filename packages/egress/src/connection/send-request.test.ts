import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createEgress } from '../create-egress.ts';
import type { EgressResult } from '../requests/egress-request.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Calls a peer that speaks raw bytes once the whole request has arrived. */
const callPeer = async (speak: (socket: Socket) => void, more: { timeoutMs?: number; method?: string } = {}): Promise<EgressResult> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const egress = createEgress({ allowRealEgress: true, allowCidrs: ['127.0.0.1/32'], timeoutMs: 5000, responseMaxBytes: 100_000 });
  open.push(
    () => egress.close(),
    () => sockets.forEach((socket) => void socket.destroy()),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  const { timeoutMs, method = 'GET' } = more;
  const result = await egress.call({
    tenant: 'org_1',
    method,
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const said = JSON.stringify({ ...result, body: undefined, headers: undefined, large: undefined });
  assert.ok(!said.includes('127.0.0.1') && !said.includes(String(port)) && !/\bE[A-Z]{4,}|HPE_|socket/.test(said), said);
  return result;
};

const answer = (head: string, body = ''): string => `HTTP/1.1 ${head}\r\n\r\n${body}`;
const failure = (reason: string, status?: number): EgressResult => ({
  kind: 'failed',
  reason,
  sent: true,
  ...(status === undefined ? {} : { status }),
});
const brokenOff = 'The destination closed the connection before the response was complete.';

test('returns a response of any status, and follows no redirect', async () => {
  for (const [head, status] of [
    ['204 No Content', 204],
    ['301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 2', 301],
    ['404 Not Found\r\nContent-Length: 2', 404],
    ['500 Oops\r\nContent-Length: 2', 500],
  ] as const) {
    let connections = 0;
    const result = await callPeer((socket) => {
      connections += 1;
      socket.end(answer(head, status === 204 ? '' : 'no'));
    });
    assert.ok(result.kind === 'answered', head);
    assert.equal(result.status, status);
    assert.equal(connections, 1);
  }
});

test('rejects an invalid status as a response, so that the request does not count as done', async () => {
  for (const status of ['000', '001', '050', '099', '20', '2000']) {
    const result = await callPeer((socket) => socket.end(answer(`${status} Fine\r\nContent-Length: 2`, 'ok')));
    assert.deepEqual(
      { ...result, duration_ms: 0 },
      { ...failure('The destination did not return a valid HTTP response.'), duration_ms: 0 },
      status,
    );
  }
});

test('aborts a response that drips past the timeout', async () => {
  const result = await callPeer(
    (socket) => {
      socket.write(answer('200 OK\r\nContent-Length: 100000'));
      const timer = setInterval(() => socket.write('x'), 10);
      socket.once('close', () => clearInterval(timer));
    },
    { timeoutMs: 150 },
  );
  assert.ok(result.kind === 'timeout');
  assert.ok(result.duration_ms >= 140 && result.duration_ms < 30_000, String(result.duration_ms));
});

test('aborts a peer that is silent or drips headers at the timeout', async () => {
  const speeches: readonly ((socket: Socket) => void)[] = [
    () => {},
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('a: b\r\n'), 5);
      socket.once('close', () => clearInterval(timer));
    },
  ];
  for (const speak of speeches) {
    const result = await callPeer(speak, { timeoutMs: 120 });
    assert.ok(result.kind === 'timeout', JSON.stringify(result));
  }
});

test('drops a peer that sends interim responses for ever, and accepts a few', async () => {
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';
  const flood = await callPeer((socket) => socket.write(hint.repeat(100_000)));
  assert.deepEqual(flood, failure('The destination did not return a valid HTTP response.'));
  const result = await callPeer((socket) => socket.end(`${hint.repeat(5)}${answer('200 OK\r\nContent-Length: 2', 'ok')}`));
  assert.ok(result.kind === 'answered' && result.body === 'ok');
});

test('aborts a response at the size limit, with or without an announced length', async () => {
  const flood = (socket: Socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(65_536)));
      socket.once('drain', more);
    };
    more();
  };
  for (const head of ['200 OK', '200 OK\r\nContent-Length: 1000000000']) {
    const result = await callPeer((socket) => {
      socket.write(answer(head));
      flood(socket);
    });
    assert.deepEqual(result, { ...failure('The response is larger than 100000 bytes.', 200), tooLarge: true });
  }
});

test('reads a response of exactly the size limit, and rejects one more byte', async () => {
  const over = await callPeer((socket) => socket.end(answer('200 OK\r\nContent-Length: 100001', 'x'.repeat(100_001))));
  assert.deepEqual(over, { ...failure('The response is larger than 100000 bytes.', 200), tooLarge: true });
  const result = await callPeer((socket) => socket.end(answer('200 OK\r\nContent-Length: 100000', 'x'.repeat(100_000))));
  assert.ok(result.kind === 'answered_large' && result.bytes === 100_000);
  assert.equal(Buffer.from(result.large?.json ?? []).toString(), JSON.stringify('x'.repeat(100_000)));
});

test('reports a response that breaks off before its announced end as sent', async () => {
  assert.deepEqual(await callPeer((socket) => socket.end(answer('200 OK\r\nContent-Length: 10', 'x'))), failure(brokenOff, 200));
  assert.deepEqual(
    await callPeer((socket) => socket.end(answer('200 OK\r\nTransfer-Encoding: chunked', '5\r\nab'))),
    failure(brokenOff, 200),
  );
  assert.deepEqual(
    await callPeer((socket) => {
      socket.write(answer('200 OK\r\nContent-Length: 10', 'x'));
      setTimeout(() => socket.resetAndDestroy(), 50);
    }),
    failure(brokenOff, 200),
  );
  assert.deepEqual(await callPeer((socket) => socket.destroy()), failure(brokenOff));
  assert.deepEqual(await callPeer((socket) => socket.resetAndDestroy()), failure(brokenOff));
});

test('rejects bytes that are not HTTP, or HTTP with contradictory lengths', async () => {
  const speeches = [
    'hello\r\n\r\n',
    'HTTP/1.1 abc OK\r\n\r\n',
    answer('200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked', 'hello'),
    answer('200 OK\r\nContent-Length: 5\r\nContent-Length: 6', 'hello'),
    answer('200 OK\r\nContent-Length: -1'),
    answer('200 OK\r\nbad header', 'x'),
    answer('200 OK\r\nTransfer-Encoding: chunked', 'zz\r\n'),
  ];
  for (const speech of speeches) {
    const result = await callPeer((socket) => socket.end(speech));
    assert.ok(result.kind === 'failed' && result.sent, speech);
    assert.equal(result.reason, 'The destination did not return a valid HTTP response.', speech);
  }
});

test('rejects a flood of headers', async () => {
  const result = await callPeer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    socket.write(Array.from({ length: 5000 }, (_, index) => `x-${index}: ${'y'.repeat(50)}\r\n`).join(''));
  });
  assert.deepEqual(result, failure('The headers of the response are too large.'));
});

test('rejects a compressed response, however small it is', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const result = await callPeer((socket) => {
    socket.write(answer(`200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}`));
    socket.end(bomb);
  });
  assert.deepEqual(result, failure('The response is compressed, although the request did not allow it.', 200));
});

test('drops a peer that requests an upgrade from HTTP', async () => {
  const result = await callPeer((socket) => socket.write(answer('101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket')));
  assert.deepEqual(result, failure('The destination did not return a valid HTTP response.'));
});

test('discards bytes after the end of a response', async () => {
  const result = await callPeer((socket) =>
    socket.end(`${answer('200 OK\r\nContent-Length: 2', 'ok')}${answer('200 OK\r\nContent-Length: 4', 'evil')}`),
  );
  assert.ok(result.kind === 'answered' && result.body === 'ok');
});

test('parses JSON if its media type is JSON and a record can store it', async () => {
  const bodies: readonly (readonly [type: string, body: string, parsed: unknown])[] = [
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/problem+json; charset=utf-8', '[1]', [1]],
    ['APPLICATION/JSON', 'null', null],
    ['text/plain', '{"a":1}', undefined],
    ['application/jsonp', '{"a":1}', undefined],
    ['application/json', '{"a":', undefined],
    ['application/json', '', undefined],
    ['application/json', '{"a":"\\u0000"}', undefined],
    ['application/json', '{"a":"\\ud800"}', undefined],
    ['application/json', '{"__proto__":{"a":1}}', undefined],
    ['application/json', '['.repeat(200) + ']'.repeat(200), undefined],
  ];
  for (const [type, body, parsed] of bodies) {
    const result = await callPeer((socket) => socket.end(answer(`200 OK\r\nContent-Type: ${type}`, body)));
    assert.ok(result.kind === 'answered', body.slice(0, 20));
    assert.equal(result.body, body);
    assert.deepEqual(result.bodyJson, parsed, body.slice(0, 20));
    assert.equal('bodyJson' in result, parsed !== undefined);
  }
});

test('reads a binary body as well-formed text without U+0000', async () => {
  const result = await callPeer((socket) => {
    socket.write(answer('200 OK\r\nContent-Length: 4'));
    socket.end(Buffer.from([0x61, 0x00, 0xff, 0x62]));
  });
  assert.ok(result.kind === 'answered');
  assert.equal(result.body, 'a\ufffd\ufffdb');
});

test('reads the response to a HEAD request without a body', async () => {
  const result = await callPeer((socket) => socket.end(answer('200 OK\r\nContent-Length: 5')), { method: 'HEAD' });
  assert.ok(result.kind === 'answered' && result.body === '');
});
