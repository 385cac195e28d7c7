import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createClient, refuseStage, startPeer } from '@svc/testing/peers/peer-gateway.ts';
import { Governance } from '../governance.ts';
import { AuthenticationFailed } from '../wire/errors.ts';

const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const agentId = 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const right = { gatewayUrl: 'http://127.0.0.1:1', agentId, privateKey: key };

const wrong: readonly (readonly [string, object])[] = [
  ['an address that is none', { gatewayUrl: 'gateway' }],
  ['an address of another protocol', { gatewayUrl: 'ftp://gateway.example' }],
  ['an address with a password', { gatewayUrl: 'https://me:secret-word@gateway.example' }],
  ['an address with a query', { gatewayUrl: 'https://gateway.example/?a=1' }],
  ['no agent id', { agentId: '' }],
  ['another id', { agentId: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
  ['an agent id with a generation in it', { agentId: `${agentId}#2` }],
  ['no private key', { privateKey: '' }],
  ['a private key that is no base64', { privateKey: `${key.slice(0, -4)}secret-word!` }],
  ['a private key in PEM of another kind', { privateKey: `-----BEGIN EC PRIVATE KEY-----\n${key}\n-----END EC PRIVATE KEY-----` }],
  [
    'a private key in PEM whose line ends are written out',
    { privateKey: `-----BEGIN PRIVATE KEY-----\\n${key}\\n-----END PRIVATE KEY-----` },
  ],
  ['generation 0', { keyGeneration: 0 }],
  ['half a generation', { keyGeneration: 1.5 }],
  ['no time at all', { timeoutMs: 0 }],
];
for (const [what, change] of wrong) {
  test(`${what} is refused when the client is created, and not repeated in the error`, () => {
    assert.throws(
      () => new Governance({ ...right, ...change }),
      (error: Error) => error instanceof TypeError && !inspect(error).includes(key.slice(8, 40)) && !inspect(error).includes('secret-word'),
    );
  });
}

test('a private key of another kind is refused at the first signature, and not repeated in the error', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const governance = createClient(peer, { privateKey: rsa });
  for (const _ of [1, 2]) {
    await assert.rejects(governance.act('x'), (error: Error) => error instanceof TypeError && !inspect(error).includes(rsa.slice(40, 80)));
  }
  assert.equal(peer.count('/gateway/v1/token'), 0);
});

test('the client, its errors and its reports do not show the key or a token', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const told: unknown[] = [];
  const governance = createClient(peer, { onError: (failure) => told.push(failure) });
  await governance.act('x');
  const [token = 'none'] = peer.tokens;
  const errors: unknown[] = [];
  for (const deed of ['cut', { status: 200, body: 'Bearer?' }, { status: 500, body: {} }, { status: 403, body: {} }] as const) {
    peer.deed = ({ path }) => (path.startsWith('/gateway/v1/actions') ? deed : undefined);
    errors.push(await governance.act('x', { timeoutMs: 900 }).catch((error) => error));
    await governance
      .guard('x', () => 1)()
      .catch((error) => errors.push(error));
  }
  const broken = createClient(peer, {
    timeoutMs: 300,
    fetch: (_url, init) => Promise.reject(Object.assign(new Error(`failed with ${JSON.stringify(init)}`), { request: init })),
  });
  errors.push(await broken.act('x').catch((error) => error));
  assert.ok(errors.length >= 9);
  const shown = inspect([governance, broken, errors, told], { depth: 20, showHidden: true }) + JSON.stringify([governance, errors, told]);
  assert.ok(!shown.includes(token));
  assert.ok(!shown.includes('Bearer tok'));
  assert.ok(!shown.includes(peer.privateKey.slice(20)));
});

test('concurrent calls share one token', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await Promise.all(Array.from({ length: 100 }, () => governance.act('x')));
  assert.equal(peer.count('/gateway/v1/token'), 1);
  assert.equal(peer.count('/.well-known/svc-platform-key'), 1);
  assert.equal(peer.count('/gateway/v1/actions'), 100);
});

test('a handshake reports no token, and its token is used by the calls that follow', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  const known = await Promise.all([governance.handshake(), governance.handshake(), governance.handshake()]);
  assert.equal(peer.count('/.well-known/svc-platform-key'), 1);
  for (const each of known)
    assert.deepEqual(
      Object.keys(each).filter((name) => /token|expires_in/.test(name)),
      [],
    );
  await governance.act('x');
  assert.equal(peer.count('/gateway/v1/token'), 0);
  peer.deed = () => ({ status: 200, body: { data: { token: 't', token_type: 'Bearer', expires_in: 1, mode: 'TRUST', tools: [] } } });
  await assert.rejects(governance.handshake(), { code: 'ANSWER_UNREADABLE' });
});

test('a private key in PEM signs like the same key in base64, with any line ends, and stays as hidden', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const der = Buffer.from(peer.privateKey, 'base64');
  const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' }).toString();
  for (const privateKey of [pem, pem.trim(), pem.replaceAll('\n', '\r\n')]) {
    const governance = createClient(peer, { privateKey });
    await governance.act('x');
    assert.ok(!inspect(governance, { depth: 9, showHidden: true }).includes(peer.privateKey.slice(20, 60)));
  }
});

test('the key is stored where it can sign and cannot be read', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const { subtle } = crypto;
  const imported: unknown[][] = [];
  const importKey = t.mock.method(subtle, 'importKey');
  await createClient(peer).act('x');
  for (const { arguments: given } of importKey.mock.calls)
    imported.push([given[0], given[3], given[4], ...new Uint8Array(given[1] as ArrayBuffer)]);
  assert.deepEqual(imported, [['pkcs8', false, ['sign'], ...Array(48).fill(0)]]);
});

test('an aborting caller does not take the token from others who wait for it', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  const controller = new AbortController();
  const givenUp = governance.act('x', { signal: controller.signal });
  const others = Array.from({ length: 5 }, () => governance.act('x'));
  const reason = new Error('changed my mind');
  controller.abort(reason);
  await assert.rejects(givenUp, reason);
  assert.equal((await Promise.all(others)).length, 5);
  assert.equal(peer.count('/gateway/v1/token'), 1);
});

test('a token is renewed in the background a minute before its end, and used meanwhile', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  let now = Date.now();
  const governance = createClient(peer, { clock: () => now });
  await governance.act('x');
  const [first] = peer.tokens;
  now += 839_000;
  peer.aheadMs = 839_000;
  await governance.act('x');
  assert.equal(peer.count('/gateway/v1/token'), 1);
  now += 2_000;
  peer.aheadMs += 2_000;
  await Promise.all(Array.from({ length: 10 }, () => governance.act('x')));
  assert.ok(
    peer.seen.filter(({ path }) => path === '/gateway/v1/actions').every(({ headers }) => headers.authorization === `Bearer ${first}`),
  );
  await untilTrue(() => peer.tokens.size === 2);
  await untilTrue(async () => {
    await governance.act('x');
    return peer.seen.at(-1)?.headers.authorization !== `Bearer ${first}`;
  });
  assert.equal(peer.count('/gateway/v1/token'), 2);
});

test('a short token is renewed when a tenth of its life is left, not continuously', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.tokenSeconds = 30;
  let now = Date.now();
  const governance = createClient(peer, { clock: () => now });
  for (let each = 0; each < 20; each += 1) await governance.act('x');
  assert.equal(peer.count('/gateway/v1/token'), 1);
  now += 28_000;
  peer.aheadMs += 28_000;
  await governance.act('x');
  await untilTrue(() => peer.tokens.size === 2);
});

test('a failing renewal affects no call, is reported, and is not retried with every call', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  let now = Date.now();
  const told: string[] = [];
  const governance = createClient(peer, { clock: () => now, onError: ({ during }) => void told.push(during) });
  await governance.act('x');
  now += 845_000;
  peer.aheadMs += 845_000;
  peer.deed = ({ path }) =>
    path === '/gateway/v1/token' ? { status: 400, body: { error: { code: 'VALIDATION_FAILED', message: 'no' } } } : undefined;
  for (let each = 0; each < 10; each += 1) {
    await governance.act('x');
    await untilTrue(() => told.length > 0);
  }
  assert.deepEqual(told, ['renewal']);
  assert.equal(peer.count('/gateway/v1/token'), 2);
});

test('an expired token is never sent', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  let now = Date.now();
  const governance = createClient(peer, { clock: () => now });
  await governance.act('x');
  const [first] = peer.tokens;
  now += 900_000;
  peer.aheadMs = 900_000;
  await governance.act('x');
  assert.notEqual(peer.seen.at(-1)?.headers.authorization, `Bearer ${first}`);
});

test('logout ends the session once; without one nothing is sent, and the next call begins another', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await governance.logout();
  assert.equal(peer.seen.length, 0);
  await governance.act('x');
  await governance.logout();
  assert.equal(peer.tokens.size, 0);
  await governance.logout();
  assert.equal(peer.count('/gateway/v1/logout'), 1);
  await governance.act('x');
  assert.equal(peer.count('/gateway/v1/token'), 2);
});

test('logging out of an ended session is no error, and begins no other', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await governance.act('x');
  peer.tokens.clear();
  await governance.logout();
  assert.equal(peer.count('/gateway/v1/token'), 1);
  await governance.act('x');
  peer.deed = ({ path }) => (path === '/gateway/v1/logout' ? refuseStage(403, 'AGENT_ISOLATED') : undefined);
  await assert.rejects(governance.logout(), { code: 'AGENT_ISOLATED' });
});

test('nothing is sent before the first call, and a gateway address may have a path and a trailing slash', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer, { gatewayUrl: `${peer.url}/behind/` });
  assert.equal(peer.seen.length, 0);
  await assert.rejects(governance.act('x'));
  assert.equal(peer.seen[0]?.path, '/behind/.well-known/svc-platform-key');
});

test('a wrong private key is reported as such, with a hint about rotation', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const error = await createClient(peer, { privateKey: key })
    .act('x')
    .catch((thrown: Error) => thrown);
  assert.ok(error instanceof AuthenticationFailed);
  assert.match(error.message, /keyGeneration/);
});

const untilTrue = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  const until = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > until) assert.fail('it never came to be');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
