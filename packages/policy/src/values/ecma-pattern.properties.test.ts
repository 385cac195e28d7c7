import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getSeed } from '@svc/testing/length/test-length.ts';
import fc from 'fast-check';
import { translateEcma } from './ecma-pattern.ts';
import { compileLinear } from './linear-pattern.ts';

const BOUNDS = { length_max: 1_000, size_max: 2_000, work_max: 100_000 };
/** Characters about which ECMA-262 and RE2 disagree: white space, line ends, words, cases and surrogates. */
const CHARACTERS = [
  ...['a', 'b', 'A', 'k', 'K', '\u212a', 's', '\u017f', '_', '0', '9', '-', ']', '^', '\\', '.', '$', '{', '}', '/', ':'],
  ...[' ', '\t', '\n', '\v', '\f', '\r', '\u00a0', '\u0085', '\u1680', '\u180e', '\u2000', '\u2003', '\u200a', '\u200b'],
  ...['\u2028', '\u2029', '\u202f', '\u205f', '\u2060', '\u3000', '\ufeff', '\u00e9', '\u03c3', '\u03c2', '\u03a3', '\u0660'],
  ...['\u{1f600}', '\u{10400}', '\u{10428}', '\ud83d', '\ude00', '\0', '\b', '\u{10ffff}'],
];
const text = fc.string({ unit: fc.constantFrom(...CHARACTERS), maxLength: 8 });

const written = (code: number): fc.Arbitrary<string> => {
  const hex = code.toString(16);
  const character = String.fromCodePoint(code);
  const units = Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
  const escaped = /[\^$\\.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
  return fc.constantFrom(escaped, units, `\\u{${hex}}`, ...(code < 256 ? [`\\x${hex.padStart(2, '0')}`] : []));
};
const character = fc.constantFrom(...CHARACTERS).chain((one) => written(one.codePointAt(0) ?? 0));
const sets = ['\\s', '\\S', '\\d', '\\D', '\\w', '\\W'];
const properties = ['\\p{L}', '\\P{Lu}', '\\p{Letter}', '\\p{Script=Greek}', '\\p{gc=Zs}', '\\p{White_Space}', '\\p{ASCII}', '\\P{Any}'];
const fixed = ['\\n', '\\r', '\\t', '\\v', '\\f', '\\0', '\\cJ', '\\ca'];
const member = fc.oneof(
  character.map((one) => (one === '-' || one === '^' ? `\\${one}` : one)),
  fc.constantFrom(...sets, ...properties, ...fixed, '\\b', '\\-', '.', '$', '(', '*'),
  fc.constantFrom('a-k', 'A-z', '\\0-\\x20', '\\u2000-\\u{10ffff}', '\\t-\\r', '\\ud800-\\udbff', '\u2027-\u2029'),
);
const aClass = fc
  .tuple(fc.constantFrom('[', '[^'), fc.array(member, { maxLength: 4 }))
  .map(([open, members]) => `${open}${members.join('')}]`);
const atom = fc.oneof(character, aClass, fc.constantFrom('.', ...sets, ...properties, ...fixed));
const unit = fc.oneof({ weight: 4, arbitrary: atom }, { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B', '(?s:.)') });

const pattern = fc.letrec<{ one: string; many: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    unit,
    tie('many').map((inner) => `(${inner})`),
    tie('many').map((inner) => `(?<name>${inner})`),
    fc.tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,}', '*?', '??', '{2}?')).map(([inner, times]) => inner + times),
    fc.tuple(tie('many'), fc.constantFrom('*', '+', '{2}')).map(([inner, times]) => `(?:${inner})${times}`),
    fc.tuple(tie('one'), tie('one')).map(([left, right]) => `(?:${left}|${right})`),
  ),
  many: fc.array(tie('one'), { maxLength: 4 }).map((parts) => parts.join('')),
}));

/**
 * Searches with JavaScript from each character of a text, as ECMA-262 specifies. The built-in search also starts between the halves of a
 * surrogate pair, where `\\B` holds.
 */
const nativeSearch = (source: string): ((text: string) => boolean) | null => {
  try {
    const sticky = new RegExp(source, 'uy');
    return (one) => {
      for (let at = 0; at <= one.length; at += (one.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) {
        sticky.lastIndex = at;
        if (sticky.test(one)) return true;
      }
      return false;
    };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

test('finds a pattern where ECMA-262 finds it', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.oneof(pattern.many, atom), fc.array(text, { minLength: 6, maxLength: 6 }), (source, texts) => {
      const native = nativeSearch(source);
      if (native === null) return;
      const compiled = compileLinear(source, 'ecma', BOUNDS);
      assert.ok(!('fault' in compiled), JSON.stringify([source, compiled]));
      compared += 1;
      for (const one of [...texts, ...CHARACTERS.slice(0, 12)]) {
        assert.equal(compiled.found(one), native(one), JSON.stringify([source, one]));
      }
    }),
    { numRuns: 3_000, seed: getSeed(7) },
  );
  assert.ok(compared > 2_000, `${compared} patterns were compared`);
});

test('matches every set of characters like ECMA-262, character by character', () => {
  const sources = [...sets, ...properties, '.', '[\\s]', '[^\\s]', '[\\S]', '[^\\S]', '[]', '[^]', '\\p{Nd}', '\\p{Emoji}', '\\p{sc=Han}'];
  for (const source of sources) {
    const compiled = compileLinear(`^${source}$`, 'ecma', BOUNDS);
    assert.ok(!('fault' in compiled), source);
    const native = new RegExp(`^${source}$`, 'u');
    for (let code = 0; code <= 0x10ffff; code += code > 0x1ffff ? 0x1fff : 1) {
      const one = String.fromCodePoint(code);
      if (compiled.found(one) !== native.test(one)) assert.fail(`${source} differs at U+${code.toString(16)}`);
    }
  }
});

test('finds a group that ignores case where ECMA-262 finds it', () => {
  for (const source of [
    '^(?i:k)$',
    '^(?i:[^σ])$',
    '^(?i:[r-t]+)$',
    '^(?i:a(?-i:k))$',
    '^a|(?i:\\u{10400})$',
    '^(?i:\\s|\\D)$',
    '^(?is:.k)$',
  ]) {
    const compiled = compileLinear(source, 'ecma', BOUNDS);
    assert.ok(!('fault' in compiled), source);
    for (const first of CHARACTERS) {
      for (const one of [first, `A${first}`])
        assert.equal(compiled.found(one), new RegExp(source, 'u').test(one), JSON.stringify([source, one]));
    }
  }
});

test('reads what only expressions without the flag u may have', () => {
  const cases: readonly (readonly [source: string, found: string, notFound: string])[] = [
    ['^[\\w-\\.]+@x$', 'a-b.c@x', 'a b@x'],
    ['^a\\-b\\_c$', 'a-b_c', 'a\\-b_c'],
    ['^{a}]$', '{a}]', 'a'],
    ['^a{,2}$', 'a{,2}', 'aa'],
    ['^[\\p{L}\\_]+\\s$', 'é_\u00a0', 'p{L}'],
  ];
  for (const [source, found, notFound] of cases) {
    const compiled = compileLinear(source, 'ecma', BOUNDS);
    assert.ok(!('fault' in compiled), source);
    assert.deepEqual([compiled.found(found), compiled.found(notFound)], [true, false], source);
  }
});

test('keeps the RE2 meaning of a pattern outside of ECMA-262', () => {
  for (const source of ['(?i)abc', '\\Aab\\z', '^[[:alpha:]]+$', '(?P<year>a)', '\\pL']) {
    assert.equal(translateEcma(source), null, source);
    assert.ok(!('fault' in compileLinear(source, 'ecma', BOUNDS)), source);
  }
});

test('rejects a pattern that needs backtracking, or whose folding differs, and never reads it as RE2', () => {
  const sources = [
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '\\07',
    '(?m:^a)',
    '(?-m:a)',
    '(?i:\\w)',
    '(?i:a\\b)',
    '(?i:\\p{Lu})',
  ];
  for (const source of sources) assert.ok('fault' in (translateEcma(source) ?? {}), source);
});
