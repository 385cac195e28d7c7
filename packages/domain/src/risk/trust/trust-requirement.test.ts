import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeTrust, counts, type EvidenceFacts, getProvenLevel } from './trust-level.ts';
import { findShortfall, loosensRequirement } from './trust-requirement.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const piece = (more: Partial<EvidenceFacts> = {}): EvidenceFacts => ({
  id: 'trv_1',
  provider_id: 'trp_1',
  kind: 'security_review',
  level: 3,
  is_lowering: false,
  is_bound: true,
  issued_at: '2026-02-01T12:00:00.000Z',
  expires_at: '2026-03-01T12:00:00.001Z',
  ...more,
});

test('counts evidence until the millisecond of its expiry, while it is bound and its provider is enabled', () => {
  assert.ok(counts(piece(), NOW, new Set()));
  assert.ok(!counts(piece({ expires_at: NOW.toISOString() }), NOW, new Set()));
  assert.ok(!counts(piece({ is_bound: false }), NOW, new Set()));
  assert.ok(!counts(piece(), NOW, new Set(['trp_1'])));
});

test('uses the level of the best evidence, and at most 1 while one lowers it', () => {
  assert.deepEqual(computeTrust([]), { level: 0, is_lowered: false, kinds: [] });
  const pieces = [piece({ level: 2 }), piece({ kind: 'sbom' }), piece({ kind: 'vex', level: 0 })];
  assert.deepEqual(computeTrust(pieces), { level: 3, is_lowered: false, kinds: ['sbom', 'security_review'] });
  const lowered = computeTrust([...pieces, piece({ kind: 'test_result', level: 4, is_lowering: true })]);
  assert.deepEqual(lowered, { level: 1, is_lowered: true, kinds: ['sbom', 'security_review'] });
});

test('rates a proof by its issuer', () => {
  const proof = { format: 'NONE', isOutsider: false, isIndependent: false, isExact: false } as const;
  assert.deepEqual(
    [
      proof,
      { ...proof, isOutsider: true },
      { ...proof, format: 'JWS' },
      { ...proof, format: 'DSSE', isIndependent: true },
      { ...proof, format: 'SIGSTORE_BUNDLE' },
      { ...proof, format: 'SIGSTORE_BUNDLE', isExact: true },
    ].map((each) => getProvenLevel(each as typeof proof)),
    [1, 2, 3, 4, 3, 4],
  );
});

test('requires the level and age for each kind, and lowers at any age', () => {
  const requirement = { level: 3, evidence: ['security_review', 'sbom'] as ('security_review' | 'sbom')[], max_age_days: 30 };
  const both = [piece(), piece({ kind: 'sbom' })];
  assert.equal(findShortfall(requirement, both, NOW), undefined);
  assert.deepEqual(findShortfall(requirement, [piece(), piece({ kind: 'sbom', level: 2 })], NOW)?.missing_kinds, ['sbom']);
  const old = piece({ issued_at: '2026-01-01T00:00:00.000Z' });
  assert.deepEqual(findShortfall(requirement, [old, piece({ kind: 'sbom' })], NOW)?.missing_kinds, ['security_review']);
  const failed = piece({ kind: 'test_result', is_lowering: true, issued_at: '2020-01-01T00:00:00.000Z' });
  assert.equal(findShortfall(requirement, [...both, failed], NOW)?.level, 1);
  assert.equal(findShortfall({ level: 1 }, [], NOW)?.level, 0);
});

test('loosens a requirement by a lower level, a kind less, a greater age and its removal', () => {
  const before = { level: 3, evidence: ['sbom'] as 'sbom'[], max_age_days: 30 };
  for (const after of [
    null,
    { ...before, level: 2 },
    { ...before, evidence: [] },
    { ...before, max_age_days: 31 },
    { level: 3, evidence: ['sbom'] as 'sbom'[] },
  ])
    assert.ok(loosensRequirement(before, after), JSON.stringify(after));
  for (const after of [before, { ...before, level: 4 }, { ...before, max_age_days: 1 }]) assert.ok(!loosensRequirement(before, after));
  assert.ok(!loosensRequirement(null, before));
});
