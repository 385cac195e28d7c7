import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { afterEach, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import tls, { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket, type TlsOptions } from 'node:tls';
import { buildExpensiveChain, createSelfSigned } from '@svc/testing/peers/self-signed.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { createEgress } from '../create-egress.ts';
import type { EgressResult } from '../requests/egress-request.ts';
import { createHandshakeBudgets } from './handshake-budgets.ts';
import { newSecureAgent } from './secure-agent.ts';

const trusted = getCACertificates('default');
const open: (() => unknown)[] = [];
afterEach(async () => {
  setDefaultCACertificates(trusted);
  for (const close of open.splice(0)) await close();
});

const { privateKey: key, certificate: cert } = createSelfSigned({ name: 'egress.test' });
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const UNPROVED = 'The certificate of the destination could not be verified.';
const INSECURE = 'A secure connection to the destination could not be established.';

const listen = async (options: TlsOptions, speak = (socket: TLSSocket): unknown => socket.write(ANSWER)): Promise<number> => {
  const sockets = new Set<TLSSocket>();
  const server = createServer({ key, cert, ...options }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => speak(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(
    () => sockets.forEach((socket) => void socket.destroy()),
    () => server.close(),
  );
  return (server.address() as AddressInfo).port;
};

const newCall = () => {
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: ['127.0.0.1/32'],
    timeoutMs: 15_000,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  open.push(() => egress.close());
  return async (port: number, more: { readonly tenant?: string; readonly keepFor?: string } = {}): Promise<EgressResult> =>
    egress.call({ tenant: 'org_1', method: 'GET', url: `https://egress.test:${port}/`, headers: {}, ...more });
};
const getReason = (result: EgressResult): string => (result.kind === 'failed' && !result.sent ? result.reason : JSON.stringify(result));

test('exchanges keys over no numbers that the peer chose', async () => {
  const port = await listen({ ciphers: 'DHE-RSA-AES128-GCM-SHA256', dhparam: 'auto', maxVersion: 'TLSv1.2' });
  const call = newCall();
  for (const more of [{}, { keepFor: 'a credential' }]) assert.equal(getReason(await call(port, more)), INSECURE);
});

test('rejects renegotiation by a peer', async () => {
  setDefaultCACertificates([...trusted, cert]);
  let renewed = 0;
  const port = await listen({ maxVersion: 'TLSv1.2' }, (socket) => {
    socket.renegotiate({}, (error) => {
      if (error === null) renewed += 1;
      socket.write(ANSWER);
    });
  });
  const call = newCall();
  for (const more of [{}, { keepFor: 'a credential' }]) assert.equal((await call(port, more)).kind, 'failed');
  assert.equal(renewed, 0);
});

test('starts one handshake per event-loop tick for concurrent calls', async () => {
  setDefaultCACertificates([...trusted, cert]);
  const port = await listen({});
  const begun = mock.method(tls, 'connect');
  open.push(() => begun.mock.restore());
  const call = newCall();
  const calls = Promise.all(Array.from({ length: 12 }, () => call(port)));
  let [most, before] = [0, 0];
  for (let isOver = false; !isOver; before = begun.mock.callCount()) {
    isOver = await Promise.race([calls.then(() => true), nextTurn(false)]);
    most = Math.max(most, begun.mock.callCount() - before);
  }
  assert.deepEqual([begun.mock.callCount(), most], [12, 1]);
  assert.ok((await calls).every(({ kind }) => kind === 'answered'));
});

test('prepares the TLS terms once, and not per connection', async () => {
  setDefaultCACertificates([...trusted, cert]);
  const port = await listen({});
  // Node prepares a default context for a connection without one.
  const made = mock.method(tls, 'createSecureContext');
  open.push(() => made.mock.restore());
  const call = newCall();
  for (let calls = 0; calls < 8; calls += 1) assert.equal((await call(port)).kind, 'answered');
  assert.equal(made.mock.callCount(), 0);
});

test('reads no more of a proof than a proof takes', async () => {
  setDefaultCACertificates([...trusted, cert]);
  const call = newCall();
  const { length } = Buffer.from(cert.replaceAll(/-.*-|\n/g, ''), 'base64');
  const speakers = [20_000, 40_000].map((bytes) => listen({ cert: cert.repeat(Math.round(bytes / length)) }));
  const [fits, over] = await Promise.all(speakers);
  for (const more of [{}, { keepFor: 'a credential' }]) {
    assert.equal((await call(fits ?? 0, more)).kind, 'answered');
    assert.equal(getReason(await call(over ?? 0, more)), INSECURE);
  }
});

test('delivers a response of many records whole, also to a reader that pauses', async () => {
  setDefaultCACertificates([...trusted, cert]);
  const body = 'x'.repeat(500_000);
  const port = await listen({}, (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`));
  const call = newCall();
  const read = async (): Promise<void> => {
    const result = await call(port);
    assert.ok(result.kind === 'answered_large' && result.bytes === body.length, JSON.stringify(result).slice(0, 200));
    result.large?.release();
  };
  await Promise.all(Array.from({ length: 3 }, read));
});

test('drops a peer that offers session after session', async () => {
  setDefaultCACertificates([...trusted, cert]);
  const port = await listen({});
  const agent = newSecureAgent({}, createHandshakeBudgets());
  const socket = agent.createConnection({ host: '127.0.0.1', port, servername: 'egress.test', tenant: 'org_1' } as object) as TLSSocket;
  const errors: unknown[] = [];
  socket.on('error', (error) => errors.push(error));
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  await waitUntil('its own two', async () => socket.listenerCount('session') > 0 && socket.getTLSTicket() !== undefined);
  for (let n = 0; n < 6; n += 1) socket.emit('session', Buffer.alloc(0));
  assert.equal(socket.destroyed, false);
  for (let n = 0; n < 3; n += 1) socket.emit('session', Buffer.alloc(0));
  assert.equal(socket.destroyed, true);
});

test("delays the peers of an organization after a slow proof, and no other organization's", async () => {
  const { privateKey, certificate } = buildExpensiveChain('egress.test', 20);
  const dear = await listen({ key: privateKey, cert: certificate });
  const call = newCall();
  assert.equal(getReason(await call(dear)), UNPROVED);
  const all = await Promise.all(Array.from({ length: 8 }, () => call(dear)));
  assert.deepEqual([...new Set(all.map(getReason))], [INSECURE]);
  assert.equal(getReason(await call(dear, { tenant: 'org_2' })), UNPROVED);
});

test('excludes open connections from those that wait, and resumes waiting ones after the time', async () => {
  const debts = createHandshakeBudgets();
  const tab = debts.open('org_1');
  for (const ms of [20, 20]) tab.spend(ms);
  assert.equal(debts.owes('org_1'), false);
  tab.spend(20);
  assert.deepEqual([debts.owes('org_1'), debts.owes('org_2')], [true, false]);
  tab.proved();
  tab.left();
  assert.equal(debts.owes('org_1'), false);
  // A few expired certificates.
  for (let n = 0; n < 10; n += 1) {
    const each = debts.open('org_1');
    each.spend(3);
    each.left();
  }
  assert.equal(debts.owes('org_1'), false);
  const late = debts.open('org_1');
  late.spend(40);
  late.left();
  assert.equal(debts.owes('org_1'), true);
  await waitUntil('the time is over', async () => !debts.owes('org_1'));
});
