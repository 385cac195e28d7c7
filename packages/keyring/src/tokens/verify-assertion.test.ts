import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import { type AgentIdentity, checkAssertion, namedKey } from '@svc/domain/agents/identity/check-assertion.ts';
import { CompactSign } from 'jose';
import { exportPublicKey, generateSigningKey } from '../public-keys/generate-key-pair.ts';
import { readAssertion } from './read-assertion.ts';
import { verifyAssertion } from './verify-assertion.ts';

const agentId = 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const otherAgentId = 'agt_01BX5ZZKBKACTAV9WEVGEMMVRZ';
const audience = 'https://gateway.example';
const nowMs = Date.UTC(2026, 1, 28, 10);
const current = generateSigningKey();
const retired = generateSigningKey();
const stranger = generateSigningKey();
const agent: AgentIdentity = {
  id: agentId,
  expires_at: null,
  status: 'ACTIVE',
  key_generation: 2,
  keys: [
    { generation: 2, public_key: exportPublicKey(current.publicKey) },
    { generation: 1, public_key: exportPublicKey(retired.publicKey) },
  ],
};

const at = (seconds: number): string => new Date(nowMs + seconds * 1000).toISOString();
const goodHeader = { alg: 'EdDSA', typ: 'svc-assertion+jws', kid: `${agentId}#2` };
const goodPayload = { sub: agentId, aud: audience, iat: at(0), exp: at(60), nonce: 'aBcDeFgHiJkLmNoPqRsTuQ' };
const encode = (part: object | string | Buffer): string =>
  (Buffer.isBuffer(part) ? part : Buffer.from(typeof part === 'string' ? part : JSON.stringify(part))).toString('base64url');
const ed25519 =
  (key: KeyObject) =>
  (signed: string): Buffer =>
    sign(null, Buffer.from(signed), key);

/** Signs any input: the key of the attacker in the tests. */
const forge = (header: object | string, payload: object | string | Buffer, pen = ed25519(current.privateKey)): string => {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${pen(signed).toString('base64url')}`;
};
const withHeader = (change: object, pen?: (signed: string) => Buffer) => forge({ ...goodHeader, ...change }, goodPayload, pen);
const withPayload = (change: object) => forge(goodHeader, { ...goodPayload, ...change });

const authenticate = async (text: unknown, directory: AgentIdentity | null = agent): Promise<string> => {
  const read = readAssertion(text);
  const assertion = 'fault' in read ? null : read;
  const presented = { claims: assertion?.claims ?? null, claimedAgentId: agentId, agent: directory };
  const isGenuine = await verifyAssertion(assertion, namedKey(presented));
  const answer = checkAssertion({
    ...presented,
    verifySignature: () => isGenuine,
    audiences: [audience],
    nowMs,
    windowSeconds: 120,
  });
  return answer.ok ? 'accepted' : answer.refusal.refused;
};

test('accepts an assertion signed with the current key by any JWS implementation', async () => {
  assert.equal(await authenticate(forge(goodHeader, goodPayload)), 'accepted');
  const spaced = JSON.stringify(goodHeader, null, 2);
  assert.equal(await authenticate(forge(spaced, JSON.stringify(goodPayload, null, ' '))), 'accepted');
  const bytes = Buffer.from(JSON.stringify(goodPayload));
  assert.equal(await authenticate(await new CompactSign(bytes).setProtectedHeader(goodHeader).sign(current.privateKey)), 'accepted');
});

const es256Pen = (signed: string): Buffer => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
};
/** The algorithm-confusion attack: the public key used as the secret of a MAC. Sixty-four bytes, to pass for Ed25519. */
const hmacPen = (signed: string): Buffer => {
  const mac = createHmac('sha256', Buffer.from(exportPublicKey(current.publicKey), 'base64'))
    .update(signed)
    .digest();
  return Buffer.concat([mac, mac]);
};
const good = forge(goodHeader, goodPayload);
const [head = '', body = '', signature = ''] = good.split('.');
const headText = JSON.stringify(goodHeader);
const bodyText = JSON.stringify(goodPayload);

const malformed: readonly (readonly [string, unknown])[] = [
  ['alg none with no signature', `${encode({ ...goodHeader, alg: 'none' })}.${body}.`],
  ['alg none with a signature', withHeader({ alg: 'none' })],
  ['alg NONE', withHeader({ alg: 'NONE' })],
  ['alg Ed25519', withHeader({ alg: 'Ed25519' })],
  ['HS256 keyed with the public key', withHeader({ alg: 'HS256' }, hmacPen)],
  ['EdDSA that is really a MAC', withHeader({}, hmacPen)],
  ['ES256', withHeader({ alg: 'ES256' }, es256Pen)],
  ['EdDSA that is really ES256', withHeader({}, es256Pen)],
  ['an embedded key that signed it', withHeader({ jwk: stranger.publicKey.export({ format: 'jwk' }) }, ed25519(stranger.privateKey))],
  ['an embedded key beside the right signature', withHeader({ jwk: current.publicKey.export({ format: 'jwk' }) })],
  ['a key address', withHeader({ jku: 'https://attacker.example/jwks.json' })],
  ['a certificate chain', withHeader({ x5c: ['MIIB'] })],
  ['a critical extension', withHeader({ crit: ['exp'] })],
  ['an unencoded payload', withHeader({ b64: false, crit: ['b64'] })],
  ['typ JWT', withHeader({ typ: 'JWT' })],
  ['a typ in capitals', withHeader({ typ: 'SVC-ASSERTION+JWS' })],
  ['a duplicated alg', forge(headText.replace('{', '{"alg":"none",'), goodPayload)],
  ['a duplicated kid, one escaped', forge(headText.replace('{', `{"\\u006bid":"${otherAgentId}#1",`), goodPayload)],
  ['a duplicated sub', forge(goodHeader, bodyText.replace('{', `{"sub":"${otherAgentId}",`))],
  ['junk after the header', forge(`${headText}x`, goodPayload)],
  ['junk after the payload', forge(goodHeader, `${bodyText}{}`)],
  ['a header that is a list', forge(`[${headText}]`, goodPayload)],
  ['a payload that is no JSON', forge(goodHeader, 'sub')],
  ['a payload that is no UTF-8', forge(goodHeader, Buffer.from(bodyText.replace(audience, '\xff'), 'latin1'))],
  ['a payload with a byte order mark', forge(goodHeader, `\ufeff${bodyText}`)],
  ['a fourth part', `${good}.${signature}`],
  ['two parts', `${head}.${body}`],
  ['a trailing newline', `${good}\n`],
  ['a trailing dot', `${good}.`],
  ['padding', `${good}==`],
  ['a space inside', `${head} .${body}.${signature}`],
  ['leftover bits in the signature', good.slice(0, -1) + nextLetter(signature)],
  ['standard base64', `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}`],
  ['a short signature', `${head}.${body}.${Buffer.from(signature, 'base64url').subarray(0, 63).toString('base64url')}`],
  ['a signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`],
  ['more than four kibibytes', withPayload({ aud: audience.padEnd(4000, 'x') })],
  ['a megabyte', `${head}.${'A'.repeat(1_000_000)}.${signature}`],
  ['digits of another script in a time', withPayload({ iat: at(0).replace('2', '٢') })],
  ['30 February', withPayload({ iat: '2026-02-30T10:00:00.000Z' })],
  ['a time without Z', withPayload({ exp: at(60).slice(0, -1) })],
  ['epoch numbers for times', withPayload({ iat: nowMs / 1000, exp: nowMs / 1000 + 60 })],
  ['an audience list', withPayload({ aud: [audience] })],
  ['a null nonce', withPayload({ nonce: null })],
  ['a nonce of 120 bits', withPayload({ nonce: 'aBcDeFgHiJkLmNoPqRsT' })],
  ['an unknown claim', withPayload({ scope: 'admin' })],
  ["another agent's kid", withHeader({ kid: `${otherAgentId}#2` })],
  ["another agent's kid and sub", forge({ ...goodHeader, kid: `${otherAgentId}#2` }, { ...goodPayload, sub: otherAgentId })],
  ['a kid without a generation', withHeader({ kid: agentId })],
  ['a generation that never was', withHeader({ kid: `${agentId}#3` })],
  ['generation 0', withHeader({ kid: `${agentId}#0` })],
  ['an object', { assertion: good }],
  ['a list', [good]],
  ['null', null],
];

/** Returns the next letter of the base64url alphabet: the same bytes for a lenient decoder, another encoding. */
function nextLetter(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(text.at(-1) ?? '') + 1] ?? '';
}

for (const [what, text] of malformed) {
  test(`fails authentication for an assertion with ${what}`, async () =>
    assert.equal(await authenticate(text), 'AGENT_AUTHENTICATION_FAILED'));
}

test('fails for an unknown agent as for a wrong key', async () => {
  assert.equal(await authenticate(good, null), 'AGENT_AUTHENTICATION_FAILED');
  assert.equal(await authenticate(withHeader({}, ed25519(stranger.privateKey))), 'AGENT_AUTHENTICATION_FAILED');
});

test('accepts the exact audience only', async () => {
  for (const aud of [`${audience}/`, audience.toUpperCase(), 'http://gateway.example', `${audience}:443`, '']) {
    assert.equal(await authenticate(withPayload({ aud })), 'AGENT_AUTHENTICATION_FAILED', aud);
  }
});

test('accepts the time window inclusive of its edges', async () => {
  assert.equal(await authenticate(withPayload({ iat: at(-120), exp: at(180) })), 'accepted');
  assert.equal(await authenticate(withPayload({ iat: at(120), exp: at(180) })), 'accepted');
  assert.equal(await authenticate(withPayload({ iat: at(-121), exp: at(60) })), 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(await authenticate(withPayload({ iat: at(121), exp: at(180) })), 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(await authenticate(withPayload({ exp: at(301) })), 'TIMESTAMP_OUT_OF_WINDOW');
  assert.equal(await authenticate(withPayload({ iat: at(-60), exp: at(0) })), 'TIMESTAMP_OUT_OF_WINDOW');
});

test('reports an assertion by the retired key as stale, and one that only claims that generation as failed', async () => {
  const kid = `${agentId}#1`;
  assert.equal(await authenticate(withHeader({ kid }, ed25519(retired.privateKey))), 'IDENTITY_GENERATION_STALE');
  assert.equal(await authenticate(withHeader({ kid }, ed25519(current.privateKey))), 'AGENT_AUTHENTICATION_FAILED');
  assert.equal(await authenticate(withHeader({ kid }, ed25519(stranger.privateKey))), 'AGENT_AUTHENTICATION_FAILED');
  assert.equal(await authenticate(withHeader({}, ed25519(retired.privateKey))), 'AGENT_AUTHENTICATION_FAILED');
});

test('reports a revocation only to the holder of the key', async () => {
  const revoked: AgentIdentity = { ...agent, status: 'REVOKED' };
  assert.equal(await authenticate(good, revoked), 'AGENT_IDENTITY_REVOKED');
  assert.equal(await authenticate(withHeader({}, ed25519(stranger.privateKey)), revoked), 'AGENT_AUTHENTICATION_FAILED');
});

test('throws for a stored key that cannot be read, instead of refusing', async () => {
  const broken: AgentIdentity = { ...agent, keys: [{ generation: 2, public_key: 'not base64' }] };
  await assert.rejects(authenticate(good, broken));
});

test('never verifies an empty input as true', async () => {
  assert.equal(await verifyAssertion(null, exportPublicKey(current.publicKey)), false);
  const read = readAssertion(good);
  assert.ok('claims' in read);
  assert.equal(await verifyAssertion(read, null), false);
  assert.equal(await verifyAssertion(null, null), false);
});
