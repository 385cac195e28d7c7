import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { generateSigningKey } from '../public-keys/generate-key-pair.ts';
import { encodeHeader, signCompactJws } from './compact-jws.ts';
import { readAssertion } from './read-assertion.ts';

const agentId = 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const { privateKey } = generateSigningKey();
const payload = {
  sub: agentId,
  aud: 'https://gateway.example',
  iat: '2026-02-28T10:00:00.000Z',
  exp: '2026-02-28T10:01:00.000Z',
  nonce: 'aBcDeFgHiJkLmNoPqRsTuQ',
};
const assertion = signCompactJws(encodeHeader('svc-assertion+jws', `${agentId}#1`), payload, privateKey);

test('reads an assertion with its claims', () => {
  const read = readAssertion(assertion);
  assert.ok('claims' in read);
  assert.deepEqual(read.claims, {
    agent_id: agentId,
    generation: 1,
    audience: 'https://gateway.example',
    issuedAtMs: Date.UTC(2026, 1, 28, 10),
    expiresAtMs: Date.UTC(2026, 1, 28, 10, 1),
    nonce: 'aBcDeFgHiJkLmNoPqRsTuQ',
    context: null,
  });
});

test('never throws, for any input', () => {
  const cut = fc.tuple(fc.nat(assertion.length), fc.nat(assertion.length), fc.string()).map(([from, to, junk]) => {
    return assertion.slice(0, from) + junk + assertion.slice(to);
  });
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), cut), (input) => {
      const read = readAssertion(input);
      assert.ok('fault' in read || input === assertion || read.claims.agent_id === agentId);
    }),
    { numRuns: 2000 },
  );
});

const part = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const [head = '', body = '', signature = ''] = assertion.split('.');
const faults: readonly (readonly [string, unknown, RegExp])[] = [
  ['no text', 7, /compact JWS/],
  ['a token of another kind', 'svc_key_abc', /compact JWS/],
  ['a padded part', `${head}.${body}=.${signature}`, /compact JWS/],
  ['a signature of another length', `${head}.${body}.${part('x'.repeat(70))}`, /64 bytes/],
  ['a header that is no JSON', `${part('x')}.${body}.${signature}`, /^The header must be a JSON object\.$/],
  ['a payload in a list', `${head}.${part([payload])}.${signature}`, /^The payload must be a JSON object\.$/],
  ['a time as a number', `${head}.${part({ ...payload, iat: 1_767_000_000 })}.${signature}`, /^iat must be a UTC time with milliseconds/],
  [
    'another end as a number',
    `${head}.${part({ ...payload, exp: 1_767_000_000 })}.${signature}`,
    /^exp must be a UTC time with milliseconds/,
  ],
  ['a list of audiences', `${head}.${part({ ...payload, aud: ['a'] })}.${signature}`, /^aud must be a string\.$/],
  ['a claim twice', `${head}.${part(`{"sub":"x",${JSON.stringify(payload).slice(1)}`)}.${signature}`, /without duplicate members/],
  [
    'a crit as a list',
    `${part({ alg: 'EdDSA', typ: 'x', kid: 'y', crit: [] })}.${body}.${signature}`,
    /^The header must be a JSON object of strings/,
  ],
];
for (const [what, text, expected] of faults) {
  test(`reports ${what} as such`, () => {
    const read = readAssertion(text);
    assert.ok('fault' in read);
    assert.match(read.fault, expected);
  });
}
