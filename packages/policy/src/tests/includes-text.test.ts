import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileIncludes } from './includes-text.ts';

const filler = 'ab'.repeat(250_000);

test('finds exactly what the built-in search finds in long texts', () => {
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

test('takes no longer for an adversarial text and piece', () => {
  const includes = compileIncludes(`${'a'.repeat(1000)}b${'a'.repeat(1047)}`);
  const text = 'a'.repeat(65_000);
  const piece = `${'a'.repeat(1000)}b${'a'.repeat(1047)}`;
  /** Milliseconds of the fastest of several searches: other load of the machine only adds to it. */
  const quickest = (search: () => boolean): number => {
    const took = Array.from({ length: 20 }, () => {
      const start = performance.now();
      assert.equal(search(), false);
      return performance.now() - start;
    });
    return Math.min(...took);
  };
  const [ours, builtIn] = [quickest(() => includes.found(text)), quickest(() => text.includes(piece))];
  assert.ok(ours < builtIn / 2, `${ours} ms, and ${builtIn} ms of the built-in search`);
});
