import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileLinearPattern } from './linear-pattern.ts';

const compiled = (source: string) => {
  const pattern = compileLinearPattern(source);
  assert.ok(!('fault' in pattern), source);
  return pattern;
};

test('answers like JavaScript for everyday patterns', () => {
  const sources = [
    '^[A-Z]{3}-\\d{4}$',
    '^\\S+@\\S+\\.\\S+$',
    '[\\u0041-\\u005a]',
    '^(?<year>\\d{4})-(?:0[1-9]|1[0-2])$',
    '\\/v\\d',
    '^\\p{L}+$',
    'a.c',
    '^$',
    '\\bid\\b',
  ];
  const texts = ['ABC-1234', 'abc-1234', 'a@b.example', '2024-12', '2024-13', '/v1', 'Ünïcödé', 'a\nc', 'abc', '', 'my id', 'A'];
  for (const source of sources) {
    for (const text of texts) assert.equal(compiled(source).found(text), new RegExp(source, 'u').test(text), `${source} on ${text}`);
  }
});

test('rejects a pattern that is invalid or not matchable in linear time', () => {
  for (const source of ['(?=a)', '(?!a)', '(?<=a)b', '(a)\\1', '(', '[', 'a{2,1}', '*', '(?:a{1000}){1000}', '\\p{Nope}']) {
    assert.ok('fault' in compileLinearPattern(source), source);
  }
  assert.ok('fault' in compileLinearPattern('a'.repeat(1001)));
  assert.ok('fault' in compileLinearPattern('.{0,1000}'.repeat(3)));
});

test('answers at once for patterns that block a backtracking engine for years', () => {
  const text = `${'a'.repeat(60_000)}!`;
  for (const source of ['^(a+)+$', '^(a|aa)+$', '^(a*)*b', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
    const pattern = compiled(source);
    const start = process.cpuUsage();
    assert.equal(pattern.found(text), false, source);
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 5_000_000, source);
  }
});

test("returns the same results after the engine's caches are dropped", () => {
  const pattern = compiled('^[ab]*a[ab]{3}$');
  const whole = /^[ab]*a[ab]{3}$/;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 0, maxLength: 3000 }), (text) =>
      assert.equal(pattern.found(text), whole.test(text)),
    ),
    { numRuns: 300 },
  );
});
