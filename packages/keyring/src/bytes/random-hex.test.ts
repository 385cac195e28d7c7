import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomHex } from './random-hex.ts';

test('returns the requested number of bytes, and repeats no sequence across many draws from the pool', () => {
  const seen = new Set(Array.from({ length: 2_000 }, () => randomHex(16)));
  assert.equal(seen.size, 2_000);
  for (const one of seen) assert.match(one, /^[0-9a-f]{32}$/);
  assert.match(randomHex(4096), /^[0-9a-f]{8192}$/);
});

test('draws every digit about equally often', () => {
  const counts = new Map<string, number>();
  for (let drawn = 0; drawn < 4_000; drawn += 1) for (const digit of randomHex(16)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  assert.equal(counts.size, 16);
  for (const count of counts.values()) assert.ok(Math.abs(count - 8_000) < 600, `${count}`);
});
