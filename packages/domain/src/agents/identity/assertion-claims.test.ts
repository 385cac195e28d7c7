import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AssertionClaims, readAssertionClaims, type ShapeFault } from './assertion-claims.ts';

const agentId = 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const otherAgentId = 'agt_01BX5ZZKBKACTAV9WEVGEMMVRZ';
const header = { alg: 'EdDSA', typ: 'svc-assertion+jws', kid: `${agentId}#3` };
const payload = {
  sub: agentId,
  aud: 'https://gateway.example',
  iat: '2026-01-31T10:00:00.000Z',
  exp: '2026-01-31T10:01:00.000Z',
  nonce: 'A'.repeat(22),
};

const read = (headerChange: Record<string, string | null>, payloadChange: Record<string, string | null>) => {
  const members = (value: object) => new Map(Object.entries(value).filter(([, text]) => text !== null));
  return readAssertionClaims(members({ ...header, ...headerChange }), members({ ...payload, ...payloadChange }));
};

const accepted = (claims: AssertionClaims | ShapeFault): AssertionClaims => {
  assert.ok(!('fault' in claims), JSON.stringify(claims));
  return claims;
};
/** Asserts a sentence that names the member and repeats no input. */
const assertFault = (claims: AssertionClaims | ShapeFault): void => {
  assert.ok('fault' in claims, JSON.stringify(claims));
  assert.match(claims.fault, /^(The (header|payload) (has|contains) |(alg|typ|kid|sub|iat|exp|nonce) must be ).*\.$/);
  assert.doesNotMatch(claims.fault, /attacker|HS256|01BX5|02-30/);
};

test('returns the claims of a well-formed assertion', () => {
  assert.deepEqual(read({}, {}), {
    agent_id: agentId,
    generation: 3,
    audience: 'https://gateway.example',
    issuedAtMs: Date.UTC(2026, 0, 31, 10),
    expiresAtMs: Date.UTC(2026, 0, 31, 10, 1),
    nonce: 'A'.repeat(22),
    context: null,
  });
});

test('accepts a flow context in an assertion', () => {
  for (const context of ['a', 'ticket:4711', 'A.b_c-9', 'x'.repeat(64)]) assert.equal(accepted(read({}, { context })).context, context);
  for (const context of ['', '*', 'x'.repeat(65), 'a b', 'ä', 'a\n', 'a/b']) {
    const claims = read({}, { context });
    assert.match('fault' in claims ? claims.fault : '', /^context must be 1 to 64 characters /, context);
  }
});

const refusedHeaders: readonly (readonly [string, Record<string, string | null>])[] = [
  ['alg none', { alg: 'none' }],
  ['alg HS256', { alg: 'HS256' }],
  ['alg ES256', { alg: 'ES256' }],
  ['alg eddsa in lower case', { alg: 'eddsa' }],
  ['no alg', { alg: null }],
  ['typ JWT', { typ: 'JWT' }],
  ['no typ', { typ: null }],
  ['no kid', { kid: null }],
  ['a kid without a generation', { kid: agentId }],
  ['generation 0', { kid: `${agentId}#0` }],
  ['a generation with a leading zero', { kid: `${agentId}#03` }],
  ['a signed generation', { kid: `${agentId}#+3` }],
  ['a negative generation', { kid: `${agentId}#-3` }],
  ['a fractional generation', { kid: `${agentId}#3.0` }],
  ['a generation in other digits', { kid: `${agentId}#３` }],
  ['a generation beyond a billion', { kid: `${agentId}#1000000000` }],
  ['two generations', { kid: `${agentId}#3#4` }],
  ['a kid with a newline', { kid: `${agentId}#3\n` }],
  ["another agent's kid", { kid: `${otherAgentId}#3` }],
  ['a critical extension', { crit: 'b64' }],
  ['an embedded key', { jwk: '{}' }],
  ['a key address', { jku: 'https://attacker.example/keys' }],
];
for (const [what, change] of refusedHeaders) test(`rejects a header with ${what}`, () => assertFault(read(change, {})));

const refusedPayloads: readonly (readonly [string, Record<string, string | null>])[] = [
  ['no sub', { sub: null }],
  ['no aud', { aud: null }],
  ['no iat', { iat: null }],
  ['no exp', { exp: null }],
  ['no nonce', { nonce: null }],
  ["another agent's sub", { sub: otherAgentId }],
  ['30 February', { iat: '2026-02-30T10:00:00.000Z' }],
  ['a time without Z', { exp: '2026-01-31T10:01:00.000' }],
  ['digits of another script', { iat: '2026-01-31T10:00:0٠.000Z' }],
  ['a nonce of 126 bits', { nonce: 'A'.repeat(21) }],
  ['a nonce outside base64url', { nonce: `${'A'.repeat(30)}+/` }],
  ['a padded nonce', { nonce: `${'A'.repeat(22)}==` }],
  ['a nonce of an impossible length', { nonce: 'A'.repeat(25) }],
  ['a nonce of 129 characters', { nonce: 'A'.repeat(130) }],
  ['an unknown claim', { nbf: '2030-01-01T00:00:00.000Z' }],
];
for (const [what, change] of refusedPayloads) test(`rejects a payload with ${what}`, () => assertFault(read({}, change)));

test('leaves an empty or differently written audience for the exact comparison', () => {
  assert.equal(accepted(read({}, { aud: '' })).audience, '');
  assert.equal(accepted(read({}, { aud: 'HTTPS://gateway.example/' })).audience, 'HTTPS://gateway.example/');
});

test('rejects a sub that is no agent id even if the kid repeats it', () => {
  for (const id of [
    '',
    'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'agt_01arz3ndektsv4rrffq69g5fav',
    'agt_01ARZ3NDEKTSV4RRFFQ69G5FA',
    `${agentId}U`,
  ]) {
    assertFault(read({ kid: `${id}#3` }, { sub: id }));
  }
});
