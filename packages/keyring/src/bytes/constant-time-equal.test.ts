import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constantTimeEqual } from './constant-time-equal.ts';

test('only the same bytes are equal, and a difference in length is an answer rather than a breakage', () => {
  assert.ok(constantTimeEqual(Buffer.from('same'), Buffer.from('same')));
  assert.ok(constantTimeEqual(Buffer.alloc(0), Buffer.alloc(0)));
  for (const other of ['samf', 'Same', 'sam', 'same ', '']) assert.ok(!constantTimeEqual(Buffer.from('same'), Buffer.from(other)), other);
});
