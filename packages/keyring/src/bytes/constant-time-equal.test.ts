import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constantTimeEqual } from './constant-time-equal.ts';

test('accepts equal bytes only, and returns false for a different length instead of throwing', () => {
  assert.ok(constantTimeEqual(Buffer.from('same'), Buffer.from('same')));
  assert.ok(constantTimeEqual(Buffer.alloc(0), Buffer.alloc(0)));
  for (const other of ['samf', 'Same', 'sam', 'same ', '']) assert.ok(!constantTimeEqual(Buffer.from('same'), Buffer.from(other)), other);
});
