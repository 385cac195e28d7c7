import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLines } from '../web/policies/policies/line-diff.ts';

const shown = (before: string, after: string): string[] => diffLines(before, after).map(({ sign, text }) => `${sign}${text}`);

test('a difference names the lines that were removed and added, and keeps the others', () => {
  assert.deepEqual(shown('a\nb\nc', 'a\nx\nc\nd'), [' a', '-b', '+x', ' c', '+d']);
  assert.deepEqual(shown('a', 'a'), [' a']);
  assert.deepEqual(shown('', 'a'), ['-', '+a']);
});

test('both texts can be read back from a difference, also from one of texts that are too long to compare', () => {
  const long = Array.from({ length: 700 }, (_, index) => `line ${index}`).join('\n');
  for (const [before, after] of [
    ['a\nb\nb\nc', 'b\na\nb\nd'],
    [long, `${long}\nmore`],
  ] as const) {
    const lines = diffLines(before, after);
    const side = (sign: '+' | '-'): string =>
      lines.flatMap((line) => (line.sign === sign || line.sign === ' ' ? [line.text] : [])).join('\n');
    assert.deepEqual([side('-'), side('+')], [before, after]);
  }
});
