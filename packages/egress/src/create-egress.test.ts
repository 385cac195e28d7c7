import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress, type Egress, type EgressSettings } from './create-egress.ts';
import type { EgressRequest, EgressResult } from './requests/egress-request.ts';

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const loopback = ['127.0.0.0/8', '::1/128'];

const egressWith = (settings: Partial<EgressSettings> = {}): Egress => {
  const egress = createEgress({ allowRealEgress: true, allowCidrs: loopback, timeoutMs: 5000, ...settings });
  open.push(egress);
  return egress;
};

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** Starts a receiver that answers 200 `{"ok":true}` and records its requests. */
const listen = async (
  host = '127.0.0.1',
): Promise<{ origin: string; port: number; seen: Seen[]; connections: () => number; server: Server }> => {
  const seen: Seen[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json', 'Set-Cookie': 'session=secret', 'X-Two': ['a', 'b'] }).end('{"ok":true}');
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push({
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, seen, connections: () => connections, server };
};

const get = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  method: 'GET',
  url,
  headers: {},
  tenant: 'org_1',
  ...more,
});

const readKind = async (egress: Egress, request: EgressRequest): Promise<EgressResult['kind']> => (await egress.call(request)).kind;

test('sends a request unchanged, with only the headers of its connection added', async () => {
  const { origin, port, seen } = await listen();
  const result = await egressWith().call({
    tenant: 'org_1',
    method: 'POST',
    url: `${origin}/v1/x?q=%20a`,
    headers: { 'X-Order': '7', 'content-type': 'application/json' },
    body: '{"ü":1}',
  });
  assert.ok(result.kind === 'answered');
  assert.equal(result.status, 200);
  assert.deepEqual(result.bodyJson, { ok: true });
  assert.equal(result.headers['x-two'], 'a, b');
  assert.ok(result.duration_ms >= 0);
  assert.deepEqual(seen, [
    {
      method: 'POST',
      url: '/v1/x?q=%20a',
      headers: {
        'user-agent': 'svc-gateway',
        accept: '*/*',
        'x-order': '7',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        host: `127.0.0.1:${port}`,
        'content-length': '8',
        connection: 'close',
      },
      body: '{"ü":1}',
    },
  ]);
});

test('drops the cookies of a peer', async () => {
  const { origin } = await listen();
  assert.ok(!JSON.stringify(await egressWith().call(get(origin))).includes('secret'));
});

test('uses a separate connection per call, sequential or concurrent', async () => {
  const { origin, connections } = await listen();
  const egress = egressWith({ timeoutMs: 30_000 });
  for (let call = 0; call < 3; call += 1) assert.equal(await readKind(egress, get(origin)), 'answered');
  const many = LIMITS.egress.callsPerHostMax;
  const kinds = await Promise.all(Array.from({ length: many }, () => readKind(egress, get(origin))));
  assert.ok(kinds.every((kind) => kind === 'answered'));
  assert.equal(connections(), 3 + many);
});

test('calls nothing while egress is off, and gives the reason beforehand', async () => {
  const { origin, seen } = await listen();
  const egress = egressWith({ allowRealEgress: false });
  const result = await egress.call(get(origin));
  assert.ok(result.kind === 'disabled');
  assert.match(result.reason, /are disabled/);
  assert.equal(egress.disabledFor({ url: origin }), result.reason);
  assert.equal(seen.length, 0);
});

test('calls exactly the built-in receiver while egress is off', async () => {
  const { origin, port, seen } = await listen();
  const egress = egressWith({ allowRealEgress: false, allowCidrs: [], sandboxOrigin: origin });
  assert.equal(await readKind(egress, get(`${origin}/hook`)), 'answered');
  assert.equal(egress.disabledFor({ url: origin }), undefined);
  const others = [`http://127.0.0.1:${port + 1}`, `https://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.0.0.2:${port}`];
  for (const other of others) assert.equal(await readKind(egress, get(other)), 'disabled', other);
  assert.equal(seen.length, 1);
});

test('refuses a non-public address in every encoding, before anything is sent', async () => {
  const { port, connections } = await listen('0.0.0.0');
  const egress = egressWith({ allowCidrs: [] });
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::]',
    'localhost',
    'localhost.',
  ];
  for (const host of hosts) assert.equal(await readKind(egress, get(`http://${host}:${port}/`)), 'unreachable', host);
  for (const host of ['169.254.169.254', '[fd00:ec2::254]', '10.0.0.1'])
    assert.equal(await readKind(egress, get(`http://${host}/`)), 'unreachable', host);
  assert.equal(connections(), 0);
});

test('resolves a name once, and refuses it for one forbidden address', async () => {
  const { port, seen } = await listen();
  let asked = 0;
  const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '10.0.0.1', family: 4 }]];
  const rebinding = egressWith({ lookup: async () => answers[asked++] ?? [] });
  assert.equal(await readKind(rebinding, get(`http://pinned.test:${port}/`)), 'answered');
  assert.equal(asked, 1);
  assert.equal(seen[0]?.headers.host, `pinned.test:${port}`);
  assert.equal(await readKind(rebinding, get(`http://pinned.test:${port}/`)), 'unreachable');

  const mixed = egressWith({
    lookup: async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ],
  });
  assert.equal(await readKind(mixed, get(`http://mixed.test:${port}/`)), 'unreachable');
  assert.equal(seen.length, 1);
});

test('calls a name with a trailing dot by its name without', async () => {
  const { port, seen } = await listen();
  const egress = egressWith({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  assert.equal(await readKind(egress, get(`http://pinned.test.:${port}/`)), 'answered');
  assert.equal(seen[0]?.headers.host, `pinned.test:${port}`);
});

test('calls an IPv6 address like any other once it is allowed', async () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
  assert.equal(await readKind(egressWith({ allowCidrs: [] }), get('http://[::1]:9/')), 'unreachable');
  if (!hasIpv6) return;
  const { origin, port, seen } = await listen('::1');
  assert.equal(await readKind(egressWith(), get(origin)), 'answered');
  assert.equal(seen[0]?.headers.host, `[::1]:${port}`);
});

test('refuses a request that is not plain http unsent', async () => {
  const { origin, seen } = await listen();
  const egress = egressWith();
  const refusedRequests: readonly EgressRequest[] = [
    get('ftp://127.0.0.1/'),
    get('file:///etc/passwd'),
    get('not a url'),
    get(origin.replace('//', '//user:secret@')),
    get(origin, { method: 'CONNECT' }),
    get(origin, { method: 'GET / HTTP/1.1\r\nX: ' }),
    ...['Host', 'Content-Length', 'transfer-encoding', 'Connection', 'Upgrade', 'TE', 'Expect'].map((name) =>
      get(origin, { headers: { [name]: '1' } }),
    ),
    get(origin, { headers: { 'x-a': 'b\r\nx-c: d' } }),
    get(origin, { headers: { 'x-a': 'b\u0000' } }),
    get(origin, { headers: { 'x-a': '😀' } }),
    get(origin, { headers: { 'x a': 'b' } }),
  ];
  for (const request of refusedRequests) assert.equal(await readKind(egress, request), 'refused', JSON.stringify(request));
  assert.equal(seen.length, 0);
});

test('fails unsent for an unreachable destination', async () => {
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  assert.deepEqual(await egressWith().call(get(`http://127.0.0.1:${port}/`)), {
    kind: 'unreachable',
    detail: 'The destination refused the connection.',
  });
  const unresolved = { kind: 'unreachable', detail: 'The name of the destination could not be resolved.' };
  const failing = egressWith({
    lookup: () => Promise.reject(Object.assign(new Error('queryA ESERVFAIL internal.host'), { code: 'ESERVFAIL' })),
  });
  assert.deepEqual(await failing.call(get('http://nothing.test/')), unresolved);
  assert.deepEqual(await egressWith({ lookup: async () => [] }).call(get('http://nothing.test/')), unresolved);
});

test('includes name resolution in the timeout, and then reports that nothing was sent', async () => {
  const began = performance.now();
  const result = await egressWith({ lookup: () => new Promise(() => {}), timeoutMs: 50 }).call(get('http://slow.test/'));
  assert.deepEqual(result, { kind: 'unreachable', detail: 'The destination did not accept the call in time.' });
  assert.ok(performance.now() - began < 30_000);
});

test('aborts calls in progress on close, and starts no others', async () => {
  const silent = createTcpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => silent.close() });
  const egress = egressWith();
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const arrived = new Promise((resolve) => silent.once('connection', (socket) => socket.once('data', resolve)));
  const underway = egress.call(get(url));
  await arrived;
  await egress.close();
  assert.deepEqual(await underway, { kind: 'failed', reason: 'The service is shutting down.', sent: true });
  assert.deepEqual(await egress.call(get(url)), { kind: 'failed', reason: 'The service is shutting down.', sent: false, busy: 'service' });
});

test('reports that a call is about to be sent right before its first byte: not before name resolution and connection', async () => {
  const silent = createTcpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => silent.close() });
  const { port } = silent.address() as AddressInfo;
  let sent = 0;
  const counting = (url: string) => ({
    ...get(url),
    onSend: () => {
      sent += 1;
    },
  });
  const waiting = egressWith({ lookup: () => new Promise(() => {}) });
  const hanging = waiting.call(counting('http://slow.test/'));
  await waiting.close();
  assert.deepEqual(await hanging, { kind: 'failed', reason: 'The service is shutting down.', sent: false, busy: 'service' });
  const noTls = await egressWith({ timeoutMs: 300 }).call(counting(`https://127.0.0.1:${port}/`));
  assert.deepEqual([noTls.kind, sent], ['unreachable', 0]);
  const unanswered = await egressWith({ timeoutMs: 300 }).call(counting(`http://127.0.0.1:${port}/`));
  assert.deepEqual([unanswered.kind, sent], ['timeout', 1]);
});

test('names settings that are not a network or an origin at once', () => {
  assert.throws(() => createEgress({ allowRealEgress: true, allowCidrs: ['10.0.0.0'] }), /is not a network/);
  assert.throws(() => createEgress({ allowRealEgress: true, allowCidrs: [], sandboxOrigin: 'nowhere' }), /Invalid URL/);
});
