import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, refuseStage, startPeer } from '@svc/testing/peers/peer-gateway.ts';
import { AuthenticationFailed, GovernanceError, IdentityGenerationStale, RateLimited } from '../wire/errors.ts';

const TOKEN = '/gateway/v1/token';
const KEY = '/.well-known/svc-platform-key';

for (const aheadMs of [-3_600_000, -121_000, 125_000, 86_400_000]) {
  test(`a local clock that is off by ${aheadMs / 1000} s is corrected by the time of the gateway, once`, async (t) => {
    const peer = await startPeer();
    t.after(peer.close);
    peer.aheadMs = aheadMs;
    const governance = createClient(peer);
    await governance.act('x');
    assert.equal(peer.count(TOKEN), 2);
    peer.tokens.clear();
    await governance.act('x');
    assert.equal(peer.count(TOKEN), 3);
  });
}

test('a clock that the gateway refuses without its own time, or again after the correction, is an error', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const answers = [{}, { server_time: 'noon' }, { server_time: new Date().toISOString() }];
  for (const details of answers) {
    peer.deed = ({ path }) => (path === TOKEN ? refuseStage(400, 'TIMESTAMP_OUT_OF_WINDOW', details) : undefined);
    await assert.rejects(createClient(peer).act('x'), { code: 'TIMESTAMP_OUT_OF_WINDOW' });
  }
  assert.equal(peer.count(TOKEN), 4);
});

test('each assertion is signed again, also if the previous one was not accepted', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  let asked = 0;
  peer.deed = ({ path }) => {
    if (path !== TOKEN) return undefined;
    asked += 1;
    return [refuseStage(400, 'NONCE_REPLAYED'), refuseStage(503, 'IDENTITY_SERVICE_UNAVAILABLE'), 'answer then cut' as const][asked - 1];
  };
  await createClient(peer).act('x');
  const assertions = peer.seen.filter(({ path }) => path === TOKEN).map(({ body }) => body.assertion);
  assert.equal(assertions.length, 4);
  assert.equal(new Set(assertions).size, 4);
});

test('an assertion names the library, its version and the runtime', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  await createClient(peer).act('x');
  const { sdk } = peer.seen.find(({ path }) => path === TOKEN)?.body ?? {};
  assert.deepEqual(sdk, { name: '@svc/sdk', version: '0.2.0', runtime: `node/${process.versions.node}` });
});

test('the audience is signed exactly as published, and read again after five minutes', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.audience = 'HTTPS://Gateway.Example:443/%7Epath/';
  let now = Date.now();
  const governance = createClient(peer, { clock: () => now });
  await governance.act('x');
  for (const [laterMs, reads] of [
    [299_000, 1],
    [2_000, 2],
  ] as const) {
    now += laterMs;
    peer.aheadMs += laterMs;
    peer.tokens.clear();
    await governance.act('x');
    assert.equal(peer.count(KEY), reads);
  }
});

test('a changed audience is read again; an unchanged one causes no second attempt', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const governance = createClient(peer);
  await governance.act('x');
  peer.audience = 'https://elsewhere.example';
  peer.tokens.clear();
  await governance.act('x');
  assert.equal(peer.count(TOKEN), 3);
  const other = createClient(peer, { keyGeneration: 7 });
  await assert.rejects(other.act('x'), AuthenticationFailed);
  assert.equal(peer.count(TOKEN), 4);
});

test('a pinned audience is never requested, and a gateway with another one does not get it', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  await createClient(peer, { audience: peer.audience }).act('x');
  await assert.rejects(createClient(peer, { audience: 'https://mine.example' }).act('x'), AuthenticationFailed);
  assert.equal(peer.count(KEY), 0);
});

test('after a rotation the old key is reported as stale, and the new one works with its generation only', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const old = createClient(peer);
  await old.act('x');
  peer.rotate();
  await assert.rejects(old.act('x'), (error) => error instanceof IdentityGenerationStale && /keyGeneration/.test(error.message));
  await assert.rejects(createClient(peer).act('x'), AuthenticationFailed);
  await createClient(peer, { keyGeneration: 2 }).act('x');
});

test('a rate limit of tokens is waited for within the time of the call', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  const limited = (seconds: string) => refuseStage(429, 'RATE_LIMITED', undefined, { 'retry-after': seconds });
  peer.deed = ({ path }) => (path === TOKEN && peer.count(TOKEN) === 1 ? limited('1') : undefined);
  const startedAt = performance.now();
  await createClient(peer).act('x');
  assert.ok(performance.now() - startedAt >= 1_000);
  peer.deed = ({ path }) => (path === TOKEN ? limited('60') : undefined);
  const failedAt = performance.now();
  await assert.rejects(createClient(peer).act('x'), RateLimited);
  assert.ok(performance.now() - failedAt < 30_000);
});

const unreadable: readonly (readonly [string, unknown])[] = [
  ['no JSON', '<html>'],
  ['nothing', ''],
  ['an array', []],
  ['no token', { data: { token_type: 'Bearer', expires_in: 900 } }],
  ['an empty token', { data: { token: '', token_type: 'Bearer', expires_in: 900 } }],
  ['another kind of token', { data: { token: 't', token_type: 'DPoP', expires_in: 900 } }],
  ['a life of no length', { data: { token: 't', token_type: 'Bearer', expires_in: 0 } }],
  ['a life in words', { data: { token: 't', token_type: 'Bearer', expires_in: '900' } }],
];
for (const [what, body] of unreadable) {
  test(`a token response with ${what} is an error and no token`, async (t) => {
    const peer = await startPeer();
    t.after(peer.close);
    peer.deed = ({ path }) => (path === TOKEN ? { status: 200, body } : undefined);
    await assert.rejects(createClient(peer).act('x'), { code: 'ANSWER_UNREADABLE' });
    assert.equal(peer.count('/gateway/v1/actions'), 0);
  });
}

test('a platform key without an audience is an error, and nothing is signed', async (t) => {
  const peer = await startPeer();
  t.after(peer.close);
  peer.deed = ({ path }) => (path === KEY ? { status: 200, body: { key_id: 'k', audience: '' } } : undefined);
  await assert.rejects(createClient(peer).act('x'), (error) => error instanceof GovernanceError && error.code === 'ANSWER_UNREADABLE');
  assert.equal(peer.count(TOKEN), 0);
});
