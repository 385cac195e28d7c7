import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import type { AssertionClaims } from './assertion-claims.ts';
import { type AgentIdentity, type AssertionCheck, checkAssertion, type FailedAssertionCheck } from './check-assertion.ts';

const nowMs = Date.UTC(2026, 0, 31, 10);
const agent: AgentIdentity = {
  id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  status: 'ACTIVE',
  expires_at: null,
  key_generation: 2,
  keys: [
    { generation: 2, public_key: 'current' },
    { generation: 1, public_key: 'retired' },
  ],
};
const claims: AssertionClaims = {
  agent_id: agent.id,
  generation: 2,
  audience: 'https://gateway.example',
  issuedAtMs: nowMs,
  expiresAtMs: nowMs + 60_000,
  nonce: 'A'.repeat(22),
  context: null,
};
/** Returns a signature by the key of the named generation. */
const signedWith = (key: string) => (publicKey: string | null) => publicKey === key;
const base: AssertionCheck = {
  claims,
  claimedAgentId: agent.id,
  agent,
  verifySignature: signedWith('current'),
  audiences: ['https://gateway.example'],
  nowMs,
  windowSeconds: 120,
};
const answer = (change: Partial<AssertionCheck>): string => {
  const outcome = checkAssertion({ ...base, ...change });
  return outcome.ok ? 'accepted' : outcome.refusal.refused;
};

/** One fault per check, in the order of the checks. */
const faults: readonly (readonly [string, string, Partial<AssertionCheck>])[] = [
  ['the signature', 'AGENT_AUTHENTICATION_FAILED', { verifySignature: () => false }],
  ['the audience', 'AGENT_AUTHENTICATION_FAILED', { audiences: ['https://gateway.example/'] }],
  ['the window', 'TIMESTAMP_OUT_OF_WINDOW', { nowMs: nowMs + 121_000 }],
  ['revocation', 'AGENT_IDENTITY_REVOKED', { agent: { ...agent, status: 'REVOKED' } }],
];

test('accepts an assertion without a fault and returns its claims', () => {
  assert.deepEqual(checkAssertion(base), { ok: true, claims });
});

for (const [what, code, change] of faults) test(`returns ${code} for a fault of ${what} alone`, () => assert.equal(answer(change), code));

test('reports the fault that is checked first', () => {
  for (const [earlier, [what, code, change]] of faults.entries()) {
    for (const [whatLater, , later] of faults.slice(earlier + 1)) {
      assert.equal(answer({ ...later, ...change }), code, `${what} before ${whatLater}`);
    }
  }
});

test('reports a real signature by a retired key as stale, and a forgery that names its generation as failed', () => {
  const namesRetired = { claims: { ...claims, generation: 1 } };
  assert.equal(answer({ ...namesRetired, verifySignature: signedWith('retired') }), 'IDENTITY_GENERATION_STALE');
  assert.equal(answer({ ...namesRetired, verifySignature: signedWith('current') }), 'AGENT_AUTHENTICATION_FAILED');
  assert.equal(answer({ verifySignature: signedWith('retired') }), 'AGENT_AUTHENTICATION_FAILED');
});

test('reports revocation before staleness, staleness before the status, and both after the window', () => {
  const stale = { claims: { ...claims, generation: 1 }, verifySignature: signedWith('retired') };
  assert.equal(answer({ ...stale, agent: { ...agent, status: 'REVOKED' } }), 'AGENT_IDENTITY_REVOKED');
  assert.equal(answer({ ...stale, agent: { ...agent, status: 'PAUSED' } }), 'IDENTITY_GENERATION_STALE');
  assert.equal(answer({ ...stale, nowMs: nowMs + 121_000 }), 'TIMESTAMP_OUT_OF_WINDOW');
});

test('returns a separate result for each status of the agent', () => {
  assert.deepEqual(
    AGENT_STATUSES.map((status) => answer({ agent: { ...agent, status } })),
    [
      'accepted',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_ISOLATED',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_IDENTITY_REVOKED',
    ],
  );
});

const strangers: readonly (readonly [string, FailedAssertionCheck, Partial<AssertionCheck>])[] = [
  ['an unreadable assertion', 'shape', { claims: null }],
  ['an unknown agent', 'agent_known', { agent: null }],
  ['a wrong key', 'signature', { verifySignature: () => false }],
  ['a generation that never was', 'key_known', { claims: { ...claims, generation: 3 } }],
  ['a body that names another agent', 'agent_named', { claimedAgentId: 'agt_01BX5ZZKBKACTAV9WEVGEMMVRZ' }],
  ['a directory that answers with another agent', 'agent_known', { agent: { ...agent, id: 'agt_01BX5ZZKBKACTAV9WEVGEMMVRZ' } }],
  ['another audience', 'audience', { audiences: ['https://gateway.example/'] }],
];
for (const [what, check, change] of strangers) {
  test(`refuses ${what} in the same words, after exactly one verification, and differs only in the log`, () => {
    let verifications = 0;
    const verifySignature = (publicKey: string | null): boolean => {
      verifications += 1;
      return (change.verifySignature ?? base.verifySignature)(publicKey);
    };
    const refused = { ok: false, check, refusal: { refused: 'AGENT_AUTHENTICATION_FAILED' } };
    assert.deepEqual(checkAssertion({ ...base, ...change, verifySignature }), refused);
    assert.equal(verifications, 1);
  });
}

test('accepts nothing if a verifier returns true without a key', () => {
  for (const [what, , change] of strangers.filter(([, , change]) => change.verifySignature === undefined)) {
    assert.equal(answer({ ...change, verifySignature: () => true }), 'AGENT_AUTHENTICATION_FAILED', what);
  }
});
