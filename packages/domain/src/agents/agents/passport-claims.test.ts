import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPassportClaims, type PassportSubject, readPassportClaims } from './passport-claims.ts';

const subject: PassportSubject = {
  agent_id: 'agt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  name: 'Refund desk',
  organization_id: 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  environment_id: 'env_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  public_key_thumbprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  capabilities: ['refund.create', 'crm.read', 'refund.create'],
  key_generation: 2,
  version: 3,
};
const issuedAtMs = Date.UTC(2026, 0, 31, 10);
const claims = buildPassportClaims(subject, issuedAtMs, 86_400);

test('lists each capability once, sorted, and expires after its lifetime', () => {
  assert.deepEqual(claims.capabilities, ['crm.read', 'refund.create']);
  assert.equal(claims.issued_at, '2026-01-31T10:00:00.000Z');
  assert.equal(claims.expires_at, '2026-02-01T10:00:00.000Z');
});

test('contains nothing of its subject beyond the ten claims', () => {
  const withMore = { ...subject, private_key: 'never' };
  assert.deepEqual(Object.keys(buildPassportClaims(withMore, issuedAtMs, 60)).sort(), Object.keys(claims).sort());
  assert.equal(Object.keys(claims).length, 10);
});

test('reads written claims back unchanged', () => {
  assert.deepEqual(readPassportClaims(JSON.parse(JSON.stringify(claims))), claims);
});

test('rejects a value with a claim missing, added, or of another type', () => {
  for (const name of Object.keys(claims)) {
    const { [name as keyof typeof claims]: _, ...rest } = claims;
    assert.equal(readPassportClaims(rest), null, `without ${name}`);
    assert.equal(readPassportClaims({ ...claims, [name]: null }), null, `null ${name}`);
    assert.equal(readPassportClaims({ ...claims, [name]: '' }), null, `empty ${name}`);
    assert.equal(readPassportClaims({ ...claims, [name]: { toString: () => 'x' } }), null, `object ${name}`);
  }
  assert.equal(readPassportClaims({ ...claims, admin: true }), null);
  assert.equal(readPassportClaims({ ...claims, version: 0 }), null);
  assert.equal(readPassportClaims({ ...claims, key_generation: 1.5 }), null);
  assert.equal(readPassportClaims({ ...claims, capabilities: ['a', 7] }), null);
  assert.equal(readPassportClaims({ ...claims, expires_at: '2026-02-30T10:00:00.000Z' }), null);
  for (const value of [null, undefined, 'x', 7, [], [claims]]) assert.equal(readPassportClaims(value), null);
});
