import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { joined, replacedAt } from './find-text.ts';
import { placesLoosely, toLooseText } from './loose-text.ts';

const replacingLoosely = (text: string, needles: readonly string[], instead: string): string =>
  replacedAt(text, joined(placesLoosely(text, needles)), () => instead);

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('keeps the same letters and digits of a long text as of its parts', () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { maxLength: 20 }),
      (parts) => toLooseText(`${parts.join(' ')}${' '.repeat(2_000)}`) === parts.map(toLooseText).join(''),
    ),
  );
});

test('replaces the characters between the letters of a needle with it, and keeps those around it', () => {
  assert.equal(replacingLoosely('İ a: K-E\nY k, (k e y) K\u212aE', ['key'], '*'), 'İ a: * k, (*) K\u212aE');
  assert.equal(replacingLoosely('keykey kekey', ['key'], '*'), '** ke*');
  assert.equal(replacingLoosely('-abcd-', ['abc', 'bcd'], '*'), '-*-');
  assert.equal(replacingLoosely('-abcd-', ['bc', 'abcd'], '*'), '-*-');
});

test('leaves no needle next to its replacement', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '-', ' ', 'İ', '1'), maxLength: 60 });
  const isGone = (text: string): boolean => {
    const parts = replacingLoosely(text, ['ab', 'bb1'], '\u0000').split('\u0000').map(toLooseText);
    return parts.every((part) => !part.includes('ab') && !part.includes('bb1'));
  };
  fc.assert(fc.property(few, isGone));
});
