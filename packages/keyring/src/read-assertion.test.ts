import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeHeader, signCompactJws } from './compact-jws.ts';
import { generateSigningKey } from './generate-key-pair.ts';
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

test('an assertion is read with its claims', () => {
  assert.deepEqual(readAssertion(assertion)?.claims, {
    agent_id: agentId,
    generation: 1,
    audience: 'https://gateway.example',
    issuedAtMs: Date.UTC(2026, 1, 28, 10),
    expiresAtMs: Date.UTC(2026, 1, 28, 10, 1),
    nonce: 'aBcDeFgHiJkLmNoPqRsTuQ',
  });
});

test('no input whatever makes reading throw', () => {
  const cut = fc.tuple(fc.nat(assertion.length), fc.nat(assertion.length), fc.string()).map(([from, to, junk]) => {
    return assertion.slice(0, from) + junk + assertion.slice(to);
  });
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.string(), cut), (input) => {
      const read = readAssertion(input);
      assert.ok(read === null || input === assertion || read.claims.agent_id === agentId);
    }),
    { numRuns: 2000 },
  );
});
