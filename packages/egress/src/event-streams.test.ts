import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type EgressSettings } from './create-egress.ts';
import type { EgressCredential, EgressRequest } from './requests/egress-request.ts';
import type { ServerEvent } from './requests/server-event.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

type Answering = (response: ServerResponse, request: IncomingMessage) => unknown;

const serve = async (answer: Answering): Promise<{ readonly url: string; readonly host: string }> => {
  const server = createServer((request, response) => void answer(response, request));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}/mcp`, host };
};

const streaming =
  (...pieces: readonly (string | Buffer)[]): Answering =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    for (const piece of pieces) {
      response.write(piece);
      await new Promise(setImmediate);
    }
    response.end();
  };

const newEgress = (settings: Partial<EgressSettings> = {}) => {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: ['127.0.0.0/8'],
    timeoutMs: 20_000,
    showsCredentials: true,
    ...settings,
  });
  open.push(egress.close);
  return egress;
};

/** The answer of a call is the first event of type `answer`. */
const call = async (url: string, more: Partial<EgressRequest> = {}) => {
  const events: ServerEvent[] = [];
  const onEvent = (event: ServerEvent): boolean => {
    events.push(event);
    return event.event === 'answer';
  };
  const result = await newEgress().call({ method: 'POST', url, headers: {}, tenant: 'org_1', onEvent, ...more });
  return { result, events };
};

test('forwards each event, and returns the data of the answer as JSON without waiting for the end of the stream', async () => {
  const { url } = await serve(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const euro = Buffer.from('€');
    response.write('\ufeff: comment\r\nretry: 5\r\ndata: {"progress":\r\ndata: 1}\r\nid: 7\r\n\r');
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.write(Buffer.concat([Buffer.from('\ndata: '), euro.subarray(0, 1)]));
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.write(Buffer.concat([euro.subarray(1), Buffer.from('\n\nevent: empty\n\nevent: answer\ndata: {"ok":true}\n\n')]));
  });
  const { result, events } = await call(url);
  assert.deepEqual(events, [
    { event: 'message', data: '{"progress":\n1}', id: '7' },
    { event: 'message', data: '€', id: '7' },
    { event: 'answer', data: '{"ok":true}', id: '7' },
  ]);
  assert.ok(result.kind === 'answered', JSON.stringify(result));
  assert.deepEqual([result.status, result.bodyJson], [200, { ok: true }]);
});

test('reads an answer that is no stream as before, and a stream as text if no one takes its events', async () => {
  const json = await serve((response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'));
  const plain = await call(json.url);
  assert.deepEqual([plain.events, plain.result.kind === 'answered' && plain.result.bodyJson], [[], { a: 1 }]);
  const stream = await serve(streaming('data: x\n\n'));
  const text = await newEgress().call({ method: 'GET', url: stream.url, headers: {}, tenant: 'org_1' });
  assert.equal(text.kind === 'answered' && text.body, 'data: x\n\n');
});

test('fails a stream that ends without an answer, is compressed, or exceeds a bound', async () => {
  const events = (count: number): string[] => Array.from({ length: count / 100 }, () => 'data: 1\n\n'.repeat(100));
  const megabyte = `data: ${'x'.repeat(1_048_576)}\n\n`;
  const streams: readonly (readonly [Answering, RegExp, boolean])[] = [
    [streaming('data: 1\n\n'), /ended without an answer/, false],
    [streaming(...events(LIMITS.egress.eventsMax + 100)), /more than 10000 events/, true],
    [streaming(...Array.from({ length: 6 }, () => megabyte)), /larger than 5242880 bytes/, true],
    [streaming('data: ', ...Array.from({ length: 60 }, () => 'x'.repeat(100_000))), /larger than 5242880 bytes/, true],
    [
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end('x'),
      /compressed/,
      false,
    ],
  ];
  for (const [answer, reason, tooLarge] of streams) {
    const { result } = await call((await serve(answer)).url);
    assert.ok(result.kind === 'failed', JSON.stringify(result).slice(0, 200));
    assert.match(result.reason, reason);
    assert.deepEqual([result.sent, result.tooLarge ?? false], [true, tooLarge]);
  }
});

test('reads a large answer in the thread of large answers', async () => {
  const large = JSON.stringify({ list: Array.from({ length: 20_000 }, (_, index) => `entry ${index}`) });
  const { url } = await serve(streaming(`event: answer\ndata: ${large}\n\n`));
  const { result } = await call(url, { masks: [] });
  assert.ok(result.kind === 'answered_large' && result.large !== undefined, JSON.stringify(result).slice(0, 200));
  assert.equal(JSON.parse(Buffer.from(result.large.json).toString('utf8')).list.length, 20_000);
  result.large.release();
});

test('hides the secret of the call in every event and in the answer', async () => {
  const secret = 'sk-4f9a8b7c6d5e4f3a2b1c';
  const { url, host } = await serve(streaming(`data: you sent ${secret}\n\nevent: answer\ndata: {"token":"${secret}"}\n\n`));
  const credential: EgressCredential = {
    scheme: 'BEARER',
    extras: [],
    placement: {},
    destinations: [{ host: '127.0.0.1', subdomains: false, port: Number(host.split(':')[1]) }],
    open: () => ({ secret, extras: [], hidden: [] }),
  };
  const { result, events } = await call(url, { credential });
  assert.equal(events.length, 2);
  assert.ok(!JSON.stringify([result, events]).includes(secret), JSON.stringify([result, events]));
});

test('breaks the call off upstream when the caller is gone', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    response.once('close', closed.resolve);
  });
  const caller = new AbortController();
  const result = await newEgress().call({
    ...{ method: 'POST', url, headers: {}, tenant: 'org_1', signal: caller.signal },
    onEvent: () => {
      caller.abort();
      return false;
    },
  });
  assert.deepEqual(result, { kind: 'failed', reason: 'The call was cancelled because the caller disconnected.', sent: true });
  await closed.promise;
  const gone = await newEgress().call({ method: 'POST', url, headers: {}, tenant: 'org_1', signal: AbortSignal.abort() });
  assert.deepEqual([gone.kind, gone.kind === 'failed' && gone.sent], ['failed', false]);
});

test('refuses a stream at an address that is not allowed, and follows no redirect to one', async () => {
  const { url } = await serve((response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end());
  const request = { method: 'POST', url, headers: {}, tenant: 'org_1', onEvent: () => true };
  const inside = await newEgress({ allowCidrs: [] }).call(request);
  assert.deepEqual([inside.kind, inside.kind === 'unreachable' && inside.forbidden], ['unreachable', true]);
  const redirect = await newEgress().call(request);
  assert.equal(redirect.kind === 'answered' && redirect.status, 307);
});

test('long calls take places of their own, at most 16 to one host', async () => {
  const waiting: ServerResponse[] = [];
  const full = Promise.withResolvers<void>();
  const { url } = await serve((response, request) => {
    if (request.url === '/quick') return response.end('{}');
    waiting.push(response);
    if (waiting.length === LIMITS.egress.longCallsPerHostMax) full.resolve();
    return undefined;
  });
  const egress = newEgress({ timeoutMs: 10_000 });
  const send = (path: string, timeoutMs?: number) =>
    egress.call({ method: 'POST', url: new URL(path, url).href, headers: {}, tenant: 'org_1', ...(timeoutMs ? { timeoutMs } : {}) });
  const long = Array.from({ length: LIMITS.egress.longCallsPerHostMax }, () => send('/long', 60_000));
  await full.promise;
  const [more, quick] = [send('/long', 60_000), await send('/quick')];
  assert.equal(quick.kind, 'answered');
  const refused = await more;
  assert.deepEqual([refused.kind, refused.kind === 'failed' && [refused.sent, refused.busy]], ['failed', [false, 'tenant']]);
  assert.equal(waiting.length, LIMITS.egress.longCallsPerHostMax);
  for (const response of waiting) response.end('{}');
  for (const result of await Promise.all(long)) assert.equal(result.kind, 'answered');
});

/** Streams the same event for ever, as fast as it is read. Returns when the connection was closed. */
const serveForever = async (event: string) => {
  const closed = Promise.withResolvers<number>();
  const { url } = await serve((response) => {
    let isClosed = false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.once('close', () => {
      isClosed = true;
      closed.resolve(performance.now());
    });
    const write = (): void => {
      while (!isClosed && response.write(event));
      if (!isClosed) response.once('drain', write);
    };
    write();
  });
  return { url, closed: closed.promise };
};

const CLOSED_WITHIN_MS = 2_000;

const ENDINGS: Readonly<Record<string, () => Partial<EgressRequest>>> = {
  'its bound of bytes': () => ({ responseBytesMax: 1_000_000 }),
  'its answer': () => ({ onEvent: () => true }),
  'an abort': () => ({ signal: AbortSignal.timeout(500) }),
  'its timeout': () => ({ timeoutMs: 500 }),
};

for (const [ending, more] of Object.entries(ENDINGS))
  for (const [which, kept] of Object.entries({ 'a connection': {}, 'a kept connection': { keepFor: 'key' } }))
    test(`closes ${which} of an endless stream when the call ends by ${ending}`, async () => {
      const { url, closed } = await serveForever(`data: ${'x'.repeat(4_000)}\n\n`);
      const { result } = await call(url, { ...kept, ...more() });
      const endedAt = performance.now();
      assert.equal(result.kind === 'answered', ending === 'its answer', JSON.stringify(result));
      const late = new Promise<number>((resolve) => setTimeout(resolve, CLOSED_WITHIN_MS, Number.POSITIVE_INFINITY));
      const closedAt = await Promise.race([closed, late]);
      assert.ok(closedAt - endedAt < CLOSED_WITHIN_MS, `the connection was still open after ${CLOSED_WITHIN_MS} ms`);
    });
