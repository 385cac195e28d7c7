import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileIncludes } from './includes-text.ts';

const filler = 'ab'.repeat(250_000);

test('the search for long texts finds exactly what the built-in search finds', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 }), (piece, end) => {
      const text = filler + end;
      assert.ok(text.length * piece.length > 1_000_000);
      assert.equal(compileIncludes(piece).found(text), text.includes(piece));
    }),
    { numRuns: 100 },
  );
});

test('a text and a piece made to be slow take no longer than others', () => {
  const includes = compileIncludes(`${'a'.repeat(1000)}b${'a'.repeat(1047)}`);
  const text = 'a'.repeat(65_000);
  const start = performance.now();
  for (let round = 0; round < 100; round++) assert.equal(includes.found(text), false);
  assert.ok(performance.now() - start < 850, 'a hundred searches end within half the time of the built-in search');
});
