import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RE2JS, RE2JSException } from 're2js';
import { type Automaton, beginsWith, buildTextsAutomaton, endsWith, includes } from './automaton.ts';
import { exploreTexts } from './explore-texts.ts';
import { buildPatternAutomaton } from './pattern-automaton.ts';
import { readProgram } from './pattern-program.ts';
import { compileSearch, type TextSearch } from './search-text.ts';

const accepts = (automaton: Automaton, text: string): boolean => {
  let state = automaton.start;
  for (const character of text) state = automaton.step(state, character.codePointAt(0) ?? 0);
  return automaton.accepts(state);
};

/** Returns the engine's own search; null for an invalid pattern or one with too many character classes. */
const searchFor = (source: string, ignoreCase: boolean): TextSearch | null => {
  try {
    const program = readProgram(RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
    return program && compileSearch(program);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return null;
  }
};

const PATTERNS = [
  'a',
  '^a',
  'a$',
  '^$',
  '^a*b+$',
  '(a|b)*abb',
  '^(?:a|bb){2,3}$',
  '\\bab\\b',
  '\\Ba',
  '(?m)^b$',
  '(?s)a.b',
  'a.b',
  '(?i)k',
  '(?i)straße',
  '[[:alpha:]]\\d',
  '\\pL\\PL',
  '\\s\\S',
  '[^a]',
  'a|^b|b$',
  '\\Aa\\z',
  '(?U)a+b',
  '\\Qa.b\\E',
  '(?P<x>a)b',
  'é',
  '[α-ω]+',
  '',
  'a??b',
  '(a*)*b',
  '.',
  '(?i)[x-z]$',
];
const text = fc.string({
  unit: fc.constantFrom(...'aabbkKsS\u212a\u017fxZ1_ .\n\té\u03b1\u{1f600}ß-'),
  maxLength: 8,
});

test('finds by simulation what the engine finds, for any text', () => {
  for (const source of PATTERNS.filter((one) => one !== '')) {
    for (const ignoreCase of [false, true]) {
      const pattern = searchFor(source, ignoreCase);
      const automaton = buildPatternAutomaton(source, ignoreCase);
      assert.ok(pattern !== null && automaton !== null, source);
      fc.assert(
        fc.property(text, (one) => assert.equal(accepts(automaton, one), pattern.found(one), JSON.stringify([source, ignoreCase, one]))),
        { numRuns: 300, seed: 7 },
      );
    }
  }
});

test('simulates a random pattern as the engine runs it', () => {
  const piece = fc.constantFrom('a', 'b', 'k', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', '(?i:k)', '\\s');
  const { source } = fc.letrec<{ source: string }>((tie) => ({
    source: fc.oneof(
      { maxDepth: 4 },
      piece,
      fc.tuple(tie('source'), tie('source')).map(([left, right]) => `${left}${right}`),
      fc.tuple(tie('source'), tie('source')).map(([left, right]) => `(${left}|${right})`),
      fc.tuple(tie('source'), fc.constantFrom('*', '+', '?', '{2}', '*?')).map(([one, times]) => `(?:${one})${times}`),
    ),
  }));
  let followed = 0;
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (one, texts) => {
      const pattern = searchFor(one, false);
      const automaton = pattern === null ? null : buildPatternAutomaton(one, false);
      if (pattern === null || automaton === null) return;
      followed += 1;
      for (const each of texts) assert.equal(accepts(automaton, each), pattern.found(each), JSON.stringify([one, each]));
    }),
    { numRuns: 2000, seed: 7 },
  );
  assert.ok(followed > 1000, `${followed} patterns were followed`);
});

test('finds every combination of results of conditions on a text, with an example', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 });
  const judge = fc.oneof(
    word.map((piece) => [(one: string) => one.startsWith(piece), beginsWith(piece)] as const),
    word.map((piece) => [(one: string) => one.endsWith(piece), endsWith(piece)] as const),
    word.map((piece) => [(one: string) => one.includes(piece), includes(piece)] as const),
    fc.constantFrom('^(ab)*$', 'a.b', 'b{2}$', '^[^a]').map((source) => {
      const pattern = searchFor(source, false);
      const automaton = buildPatternAutomaton(source, false);
      assert.ok(pattern !== null && automaton !== null);
      return [pattern.found, automaton] as const;
    }),
  );
  const all = ['a', 'b', 'c'].reduce<string[]>(
    (before) => [...before, ...before.flatMap((one) => ['a', 'b', 'c'].map((more) => one + more))],
    [''],
  );
  const short = [...new Set(all)];
  fc.assert(
    fc.property(fc.array(judge, { minLength: 1, maxLength: 4 }), fc.uniqueArray(word, { maxLength: 3 }), (judges, without) => {
      const { texts, complete } = exploreTexts(
        { judges: judges.map(([, automaton]) => automaton), within: [], without: buildTextsAutomaton(without) },
        { left: 1e7 },
      );
      assert.ok(complete);
      const getKey = (one: string): string => judges.map(([holds]) => (holds(one) ? 1 : 0)).join('');
      for (const [key, one] of texts) assert.ok(getKey(one) === key && !without.includes(one), `${key} ${one}`);
      for (const one of short) if (!without.includes(one)) assert.ok(texts.has(getKey(one)), one);
    }),
    { numRuns: 500, seed: 7 },
  );
});
