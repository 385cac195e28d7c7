import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { readProgram } from './pattern-program.ts';
import { scanPattern } from './scan-pattern.ts';
import { compileSearch } from './search-text.ts';

const searched = (source: string, flags = 0) => {
  const pattern = RE2JS.compile(source, flags);
  const program = readProgram(pattern);
  const search = program && compileSearch(program);
  assert.ok(search, source);
  return { search, pattern };
};

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\W',
  '\\b',
  '\\B',
  '^',
  '$',
  '\\A',
  '\\z',
  'k',
  's',
  'ä',
  'Σ',
  '\\pL',
  '\\x{1f600}',
  '\\n',
);
const pattern = fc.letrec<{ one: string; many: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    atom,
    tie('many').map((inner) => `(${inner})`),
    fc.tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?', '{40}')).map(([inner, times]) => inner + times),
    fc.tuple(tie('one'), tie('one')).map(([left, right]) => `(?:${left}|${right})`),
  ),
  many: fc.array(tie('one'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
}));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'k', 'K', '\u212a', 's', '\u017f', 'ä', 'Ä', 'σ', 'ς', 'Σ', ' ', '\n', '_', '7', '\u{1f600}'),
  maxLength: 60,
});

test('finds exactly what the engine that compiled the pattern finds', () => {
  fc.assert(
    fc.property(pattern.many, text, fc.boolean(), fc.boolean(), (source, given, ignoreCase, isMultiline) => {
      const flags = (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (isMultiline ? RE2JS.MULTILINE : 0);
      let engine: ReturnType<typeof searched>;
      try {
        engine = searched(source, flags);
      } catch {
        return; // invalid patterns are not compared
      }
      assert.equal(engine.search.found(given), engine.pattern.test(given), `${source} in ${JSON.stringify(given)}`);
    }),
    { numRuns: 1_500 },
  );
});

test('takes no longer per character for a text made to meet every path of a pattern', () => {
  const { search } = searched('a[ab]{200}[^ab]');
  const hostile = Array.from({ length: 8_192 }, (_, at) => ((at * 7_919 + ((at * at) >> 3)) % 3 ? 'a' : 'b')).join('');
  const computeTime = (given: string): number => {
    const took = Array.from({ length: 5 }, () => {
      const start = performance.now();
      assert.equal(search.found(given), false);
      return performance.now() - start;
    });
    return Math.min(...took);
  };
  // The engine's own search takes more than a hundred times as long for the first text as for the second.
  assert.ok(computeTime(hostile) < 40 * computeTime('c'.repeat(8_192)));
});

test('estimates the cost of preparing a pattern without preparing it', () => {
  const dear = [
    '(?i)[\\pL\\pN\\pP\\pS]'.padEnd(400, '\\pL'),
    `(?i)${'[a-\\x{ffff}]'.repeat(3)}`,
    '(?:abcdefgh){1000}',
    '(?:(?:a{50}){50}){50}',
    '\\Q[\\E(?:ab){1000}',
  ];
  for (const source of dear) {
    const took = Array.from({ length: 5 }, () => {
      const start = performance.now();
      const { work } = scanPattern(source, false);
      assert.ok(work > 1_500, `${source}: ${work}`);
      return performance.now() - start;
    });
    // The fastest of several runs, since other load of the machine only adds to it.
    assert.ok(Math.min(...took) < 50, `${source}: ${took} ms`);
  }
  const everyday = [
    '^[A-Z]{2}[0-9]+$',
    '(?i)drop\\s+table',
    "^[\\pL\\pN .'-]{1,64}$",
    '(^|[^0-9])[3-6]([ -]?[0-9]){12,18}($|[^0-9])',
    '^[^@\\s]+@example\\.com$',
    '[k-z]{3}|\\x{41}',
  ];
  for (const source of everyday) assert.ok(scanPattern(source, true).work < 1_000, source);
});
