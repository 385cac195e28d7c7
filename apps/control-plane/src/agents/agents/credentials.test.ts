import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { mintToken, newAgent, newKeyPair, readAudience, SDK, signAssertion, type TestAgent } from '@svc/testing/agents/agent.ts';
import { countRepetitions } from '@svc/testing/length/test-length.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ steppedUp: true });

const send = (path: string, body?: unknown, token = s.tenant.token): Promise<TestResponse> =>
  call(s.planes.controlUrl, 'POST', path, { token, ...(body === undefined ? {} : { body }) });
const rotate = (agent: { id: string }, body?: unknown) => send(`/v1/agents/${agent.id}/rotate-credentials`, body);
let made = 0;
const register = (publicKey: unknown, by: Tenant = s.tenant) => {
  made += 1;
  const { workspace_id, environment_id } = by;
  return send('/v1/agents', { name: `Key ${made}`, workspace_id, environment_id, capabilities: [], public_key: publicKey }, by.token);
};
const assertKeyRefused = ({ status, json, text }: TestResponse, reason: RegExp, what?: string): void => {
  assert.deepEqual([status, json.error.code], [400, 'VALIDATION_FAILED'], `${what}: ${text}`);
  assert.deepEqual(json.error.details.faults[0].pointer, '/public_key', what);
  assert.match(json.error.details.faults[0].message, reason, what);
};
const readKeys = async ({ id }: { id: string }) =>
  (
    await s.owner.query('select generation, public_key, retired_at is not null as retired from agent_keys where agent_id = $1 order by 1', [
      id,
    ])
  ).rows;
const eventsAbout = (id: string) => s.eventsOf(id, 'type', 'data');

const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const spki = (raw: string | Uint8Array): string =>
  Buffer.concat([SPKI_HEAD, typeof raw === 'string' ? Buffer.from(raw, 'hex') : raw]).toString('base64');
const otherKind = (kind: 'x25519' | 'ed448'): string =>
  (kind === 'x25519' ? generateKeyPairSync('x25519') : generateKeyPairSync('ed448')).publicKey
    .export({ format: 'der', type: 'spki' })
    .toString('base64');

test('a key is accepted as base64, PEM or JWK, with the same result', async () => {
  const forms = (pair = generateKeyPairSync('ed25519')) => [
    pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    pair.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    { ...pair.publicKey.export({ format: 'jwk' }), use: 'sig' },
  ];
  for (const form of [0, 1, 2]) {
    const [same, next] = [forms(), forms()];
    const answer = await register(same[form]);
    assert.equal(answer.status, 201, answer.text);
    const { agent } = answer.json.data;
    assert.equal(agent.public_key, same[0]);
    assertKeyRefused(await rotate(agent, { public_key: same[(form + 1) % 3] }), /was used before/, 'the same key in another form');
    assert.equal((await rotate(agent, { public_key: next[form] })).json.data.agent.public_key, next[0]);
  }
});

test('a private key is refused as such in every form, and is never repeated, stored or logged', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey;
  const secret = String(privateKey.export({ format: 'jwk' }).d);
  for (const given of [
    privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    privateKey.export({ format: 'jwk' }),
    rsa.export({ format: 'pem', type: 'pkcs8' }).toString(),
    rsa.export({ format: 'jwk' }),
  ]) {
    const answer = await register(given);
    assertKeyRefused(answer, /^This is a private key.*Treat it as compromised/, JSON.stringify(given).slice(0, 40));
    for (const part of [secret, String(rsa.export({ format: 'jwk' }).d).slice(0, 40)])
      assert.ok(!answer.text.includes(part) && !s.planes.logs().includes(part));
  }
});

const WEAK: readonly (readonly [string, string, RegExp])[] = [
  ['the identity', spki(`01${'00'.repeat(31)}`), /small order/],
  ['the point of order two', spki(`ec${'ff'.repeat(30)}7f`), /small order/],
  ['zero, of order four', spki('00'.repeat(32)), /small order/],
  ['zero with a sign', spki(`${'00'.repeat(31)}80`), /small order/],
  ['a point of order eight', spki('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'), /small order/],
  ['its double', spki('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'), /small order/],
  ['a y beyond the field', spki(`ef${'ff'.repeat(30)}7f`), /canonical|small order|not a point/],
  ['no point of the curve', spki(`02${'00'.repeat(31)}`), /not a point|subgroup/],
  ['an X25519 key', otherKind('x25519'), /key type X25519 is not supported; must be Ed25519/],
  ['an Ed448 key', otherKind('ed448'), /key type Ed448 is not supported; must be Ed25519/],
  ['raw bytes', Buffer.alloc(32, 7).toString('base64'), /not an Ed25519 key/],
  ['text that is no base64', 'not base64!', /canonical base64/],
  ['a key with a line break', `${newKeyPair().publicKey}\n`, /canonical base64/],
  ['a key in base64url', newKeyPair().publicKey.replace(/=+$/, ''), /canonical base64/],
];

test('a weak or malformed key is refused with its reason, at registration and at rotation, and leaves nothing behind', async () => {
  const agent = await newAgent(s.tenant);
  const count = async () =>
    (
      await s.owner.query(
        `select (select count(*) from agent_keys where organization_id = $1) as k,
                (select count(*) from audit_events where organization_id = $1) as e`,
        [s.tenant.organization_id],
      )
    ).rows[0];
  const before = await count();
  for (const [what, key, reason] of WEAK) {
    assertKeyRefused(await register(key), reason, what);
    assertKeyRefused(await rotate(agent, { public_key: key }), reason, what);
  }
  for (const key of ['', 'x'.repeat(201), 7, null]) {
    const answer = await rotate(agent, { public_key: key });
    assert.deepEqual([answer.status, answer.json.error.details.faults[0].pointer], [400, '/public_key']);
  }
  assert.deepEqual(await count(), before);
});

test('rotateAgentCredentials activates the new key of the caller, keeps the old one as retired and returns no private key', async () => {
  const agent = await newAgent(s.tenant);
  const next = newKeyPair();
  const answer = await rotate(agent, { public_key: next.publicKey, reason: 'yearly' });
  assert.equal(answer.status, 200, answer.text);
  const { agent: rotated, ...rest } = answer.json.data;
  assert.deepEqual(rest, {});
  assert.deepEqual([rotated.public_key, rotated.key_generation, rotated.passport_version], [next.publicKey, 2, 2]);
  assert.deepEqual(await readKeys(agent), [
    { generation: 1, public_key: agent.publicKey, retired: true },
    { generation: 2, public_key: next.publicKey, retired: false },
  ]);
  const event = (await eventsAbout(agent.id)).at(-1);
  assert.deepEqual(
    [event?.type, event?.data.before, event?.data.after.key_generation, event?.data.reason],
    ['agent.identity_rotated', { key_generation: 1 }, 2, 'yearly'],
  );
  const passport = await call(s.planes.controlUrl, 'GET', `/v1/agents/${agent.id}/passport`, { token: s.tenant.token });
  assert.deepEqual([passport.json.version, (await eventsAbout(passport.json.id)).map(({ type }) => type)], [2, ['passport.rotated']]);
});

test('a rotation without a key generates one, returns its private half once, and the agent continues with it alone', async () => {
  const agent = await newAgent(s.tenant);
  const old = await mintToken(s.planes.gatewayUrl, agent);
  const { data } = (await rotate(agent)).json;
  const stale = await call(s.planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token: old, body: { tool: 'none' } });
  assert.equal(stale.json.error.code, 'IDENTITY_GENERATION_STALE');
  const audience = await readAudience(s.planes.gatewayUrl);
  const present = (assertion: string) =>
    call(s.planes.gatewayUrl, 'POST', '/gateway/v1/token', { body: { agent_id: agent.id, assertion, sdk: SDK } });
  assert.equal((await present(signAssertion(agent, audience))).json.error.code, 'IDENTITY_GENERATION_STALE');
  assert.equal((await present(signAssertion(agent, audience, { generation: 2 }))).json.error.code, 'AGENT_AUTHENTICATION_FAILED');
  const privateKey = createPrivateKey({ key: Buffer.from(data.private_key, 'base64'), format: 'der', type: 'pkcs8' });
  const renewed: TestAgent = { ...agent, privateKey, publicKey: data.agent.public_key };
  assert.equal((await present(signAssertion(renewed, audience, { generation: 1 }))).json.error.code, 'AGENT_AUTHENTICATION_FAILED');
  const token = await mintToken(s.planes.gatewayUrl, renewed, 2);
  const fresh = await call(s.planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token, body: { tool: 'none' } });
  assert.equal(fresh.json.error.code, 'NOT_FOUND');
});

test('a key cannot be activated again: not the current one, a retired one or one of a revoked agent', async () => {
  const used = /in use or was used before/;
  const agent = await newAgent(s.tenant);
  assertKeyRefused(await rotate(agent, { public_key: agent.publicKey }), used, 'the current key');
  assert.equal((await rotate(agent)).status, 200);
  assertKeyRefused(await rotate(agent, { public_key: agent.publicKey }), used, 'the key before');
  assertKeyRefused(await register(agent.publicKey), used, 'a new agent with a retired key');
  const revoked = await newAgent(s.tenant);
  assert.equal((await send(`/v1/agents/${revoked.id}/revoke`, { reason: 'stolen' })).status, 200);
  assertKeyRefused(await register(revoked.publicKey), used, 'a new agent with the key of a revoked one');
  assertKeyRefused(await rotate(agent, { public_key: revoked.publicKey }), used, 'another agent');
  const stranger = await newTenant(s.planes);
  assert.equal((await register(revoked.publicKey, stranger)).status, 201, 'another organization knows nothing of it');
});

test('concurrent rotations each create their own generation, and the last one is active', async () => {
  for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
    const agent = await newAgent(s.tenant);
    const answers = await Promise.all(Array.from({ length: 4 }, () => rotate(agent)));
    const generations = answers.map(({ json }) => json.data.agent.key_generation);
    assert.deepEqual(generations.toSorted(), [2, 3, 4, 5]);
    const newest = answers.find(({ json }) => json.data.agent.key_generation === 5)?.json.data.agent;
    const keys = await readKeys(agent);
    assert.deepEqual(
      keys.map(({ retired }) => retired),
      [true, true, true, true, false],
    );
    assert.equal(keys.at(-1).public_key, newest.public_key);
    const { rows } = await s.owner.query('select version from passports where agent_id = $1 order by 1', [agent.id]);
    assert.deepEqual(
      rows.map(({ version }) => version),
      [1, 2, 3, 4, 5],
    );
    const now = await s.owner.query('select session_series > 1 as killed, key_generation, passport_version from agents where id = $1', [
      agent.id,
    ]);
    assert.deepEqual(now.rows, [{ killed: true, key_generation: 5, passport_version: 5 }]);
  }
});

test('one of several concurrent rotations to the same key wins', async () => {
  for (let round = 0; round < countRepetitions({ short: 4, long: 10 }); round += 1) {
    const agent = await newAgent(s.tenant);
    const { publicKey } = newKeyPair();
    const answers = await Promise.all(Array.from({ length: 4 }, () => rotate(agent, { public_key: publicKey })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400]);
    for (const lost of answers.filter(({ status }) => status === 400)) assertKeyRefused(lost, /in use or was used before/);
  }
});

test('rotating the key of an agent with a dangerous or critical tool requires a step-up, which an API key cannot provide', async () => {
  const other = await newTenant(s.planes);
  const { controlUrl, organization_id, environment_id } = other;
  const owned = (path: string, body: object, token = other.token) => call(controlUrl, 'POST', path, { token, body });
  const key = (await owned('/v1/api-keys', { name: 'deploy', role_id: getBuiltInRole('admin').id })).json;
  const events = () =>
    s.owner.query("select from audit_events where organization_id = $1 and type = 'agent.identity_rotated'", [organization_id]);
  for (const [name, risk] of [
    ['drop', { dangerous: true }],
    ['wire', { risk_rating: 'CRITICAL' }],
  ] as const) {
    const agent = await newAgent(other, { capabilities: ['pay'] });
    const rotateBy = (token: string, { id } = agent) =>
      owned(`/v1/agents/${id}/rotate-credentials`, { public_key: newKeyPair().publicKey }, token);
    assert.equal((await rotateBy(key.token, await newAgent(other))).status, 200, 'one that holds no such tool');
    const tool = (await owned('/v1/tools', { name, environment_id, required_capability: 'pay', kind: 'SDK', ...risk })).json;
    await stepUp(controlUrl, other);
    assert.equal((await owned(`/v1/tools/${tool.id}/agents`, { agent_id: agent.id })).status, 201);
    await s.owner.query('update sessions set stepped_up_until = null where user_id = $1', [other.user.id]);
    const before = (await events()).rowCount;
    for (const token of [other.token, key.token]) {
      const refused = await rotateBy(token);
      assert.deepEqual([refused.status, refused.json.error.code], [403, 'STEP_UP_REQUIRED'], name);
    }
    assert.equal((await events()).rowCount, before);
  }
  await stepUp(controlUrl, other);
  const [{ id } = { id: '' }] = (
    await s.owner.query('select agent_id as id from tool_agents where organization_id = $1', [organization_id])
  ).rows;
  assert.equal((await owned(`/v1/agents/${id}/rotate-credentials`, {})).status, 200);
  assert.equal((await owned(`/v1/agents/${id}/rotate-credentials`, {}, key.token)).status, 403);
});

test('renewPassport issues a version for another term, also after expiry; key and sessions continue, and ended objects stay ended', async () => {
  const agent = await newAgent(s.tenant);
  const token = await mintToken(s.planes.gatewayUrl, agent);
  const act = async () =>
    (await call(s.planes.gatewayUrl, 'POST', '/gateway/v1/actions', { token, body: { tool: 'none' } })).json.error.code;
  await s.owner.query("update passports set expires_at = now() - interval '1 day' where agent_id = $1", [agent.id]);
  assert.equal(await act(), 'PASSPORT_INVALID');
  const renew = (id: string, body?: object) => send(`/v1/agents/${id}/passport/renew`, body);
  const { status, json } = await renew(agent.id, { reason: 'it was forgotten' });
  assert.deepEqual([status, json.version], [200, 2]);
  assert.ok(Date.parse(json.expires_at) > Date.now() + 364 * 86_400_000);
  assert.equal(await act(), 'NOT_FOUND');
  const [issued] = await eventsAbout(json.id);
  assert.deepEqual([issued?.type, issued?.data.because, issued?.data.reason], ['passport.issued', 'renewal', 'it was forgotten']);
  assert.equal((await readKeys(agent)).length, 1);
  await s.owner.query("update agents set status = 'DECOMMISSIONED' where id = $1", [agent.id]);
  assert.deepEqual((await renew(agent.id)).json.error.details.allowed_from, ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED']);
});
