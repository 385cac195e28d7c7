import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import fc from 'fast-check';
import { compilePattern } from './linear-pattern.ts';

const found = (source: string, text: string, ignoreCase = false): boolean => {
  const pattern = compilePattern(source, ignoreCase);
  assert.ok(!('fault' in pattern), source);
  return pattern.found(text);
};

test('finds a pattern anywhere unless it is anchored', () => {
  assert.equal(found('b', 'abc'), true);
  assert.equal(found('^b', 'abc'), false);
  assert.equal(found('b$', 'abc'), false);
  assert.equal(found('^abc$', 'abc'), true);
  assert.equal(found('^abc$', 'abc\n'), false);
  assert.equal(found('^a.c$', 'a\nc'), false);
});

test('is case-sensitive by default', () => {
  assert.equal(found('^api\\.', 'API.example.com'), false);
  assert.equal(found('^api\\.', 'API.example.com', true), true);
  assert.equal(found('(?i)drop\\s+table', 'DROP  TABLE x'), true);
});

test('answers at once for patterns that block a backtracking engine for years', () => {
  const text = `${'a'.repeat(POLICY_LIMITS.matched_text_length_max - 1)}!`;
  for (const source of ['^(a+)+$', '^(a|aa)+$', '^(a*)*b', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
    const start = process.cpuUsage();
    assert.equal(found(source, text), false, source);
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 5_000_000, source);
  }
});

test('takes less than a second for the slowest allowed pattern on the longest allowed text', () => {
  const pattern = compilePattern('[ab]*a[ab]{235}$', false);
  assert.ok(!('fault' in pattern) && pattern.size > 200);
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed;
  };
  const text = Array.from({ length: POLICY_LIMITS.matched_text_length_max }, () => (random() % 2 === 0 ? 'a' : 'b')).join('');
  // Processor time, not wall-clock time, which other processes on the machine would lengthen.
  const took = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage();
    pattern.found(text);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  assert.ok(Math.min(...took) < 1_000_000, `${took} microseconds`);
});

test("returns the same results after the engine's caches are dropped", () => {
  const pattern = compilePattern('^[ab]*a[ab]{3}$', false);
  assert.ok(!('fault' in pattern));
  const whole = /^[ab]*a[ab]{3}$/;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3000 }), (text) => {
      assert.equal(pattern.found(text), whole.test(text));
    }),
    { numRuns: 300 },
  );
});
