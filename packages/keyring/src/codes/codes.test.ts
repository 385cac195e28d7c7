import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { matchesChallenge } from './pkce.ts';
import { newUserCodes } from './user-codes.ts';

const codes = newUserCodes(createSecretKey(Buffer.alloc(32, 1)));

test('derives a user code of eight consonants, the same for the same request, different under another key', () => {
  const [one, other] = [codes.codeOf('cli_1'), codes.codeOf('cli_2')];
  assert.match(one, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  assert.equal(codes.codeOf('cli_1'), one);
  assert.notEqual(other, one);
  assert.notEqual(newUserCodes(createSecretKey(Buffer.alloc(32, 2))).codeOf('cli_1'), one);
});

test('draws every letter about equally often', () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 2_500; n += 1)
    for (const letter of codes.codeOf(`cli_${n}`).replace('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, 20);
  for (const [letter, count] of counts) assert.ok(count > 800 && count < 1_200, `${letter}: ${count}`);
});

test('finds a user code in any typed variant, and its hash reveals nothing without the key', () => {
  const code = codes.codeOf('cli_1');
  for (const typed of [code.toLowerCase(), code.replace('-', ''), code]) assert.deepEqual(codes.hashOf(typed), codes.hashOf(code));
  assert.notDeepEqual(newUserCodes(createSecretKey(Buffer.alloc(32, 2))).hashOf(code), codes.hashOf(code));
});

test('matches a verifier with its own challenge only, as RFC 7636 specifies', () => {
  // Appendix B of the RFC.
  const [verifier, challenge] = ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'];
  assert.ok(matchesChallenge(verifier, challenge));
  for (const wrong of [challenge, `${verifier}a`, verifier.toLowerCase(), '']) assert.ok(!matchesChallenge(wrong, challenge), wrong);
});
