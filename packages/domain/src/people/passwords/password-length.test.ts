import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPasswordLengthFault, isShortPassword } from './password-length.ts';

test('requires 15 characters for a password alone, and 8 with a second factor', () => {
  for (const [beside, least] of [
    ['nothing', 15],
    ['a second factor', 8],
  ] as const) {
    assert.match(findPasswordLengthFault('x'.repeat(least - 1), beside) ?? '', /^At least 15 characters if it is the only factor, 8 with/);
    assert.equal(findPasswordLengthFault('x'.repeat(least), beside), undefined);
    assert.equal(findPasswordLengthFault('x'.repeat(256), beside), undefined);
  }
});

test('counts a character as one, for any number of bytes', () => {
  assert.equal(findPasswordLengthFault('🔑'.repeat(15), 'nothing'), undefined);
  assert.notEqual(findPasswordLengthFault('🔑'.repeat(14), 'nothing'), undefined);
  assert.equal(findPasswordLengthFault('     ปลา 123456', 'nothing'), undefined);
  assert.deepEqual([isShortPassword('x'.repeat(14)), isShortPassword('x'.repeat(15))], [true, false]);
});
