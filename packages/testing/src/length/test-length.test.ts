import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { TEST_LONG, TEST_NAMED, TEST_SEED } from './test-length.ts';

const PROGRAM = `
const { sampleFew, longOnly, countRepetitions, sample, sampleEach } = await import(${JSON.stringify(new URL('./test-length.ts', import.meta.url).href)});
const items = Array.from({ length: 40 }, (_, n) => n);
console.log(JSON.stringify([countRepetitions({ short: 2, long: 20 }), sample(items, 3, 'a'), sample(items, 3, 'b'), sampleEach(items, (n) => String(n % 4), 1, 'a'), sampleFew(items, 3, 'a'), longOnly.skip]));
`;

type Chosen = readonly [times: number, some: number[], others: number[], ofEach: number[], few: number[], skip: string | false];

const chosen = (env: Readonly<Record<string, string>>): Chosen => {
  const bare = Object.fromEntries(Object.entries(process.env).filter(([name]) => ![TEST_LONG, TEST_NAMED, TEST_SEED].includes(name)));
  const args = ['--input-type=module', '-e', PROGRAM];
  return JSON.parse(execFileSync(process.execPath, args, { env: { ...bare, ...env }, encoding: 'utf8' }));
};

test('the short form runs some of each kind, the same for the same seed, and the long form runs all', () => {
  const [times, some, others, ofEach, ...left] = chosen({ [TEST_SEED]: '7' });
  assert.equal(times, 2);
  assert.deepEqual([some.length, others.length, ofEach.length], [3, 3, 4]);
  assert.notDeepEqual(some, others);
  assert.deepEqual(new Set(ofEach.map((n) => n % 4)), new Set([0, 1, 2, 3]));
  assert.deepEqual(chosen({ [TEST_SEED]: '7' }), [times, some, others, ofEach, ...left]);
  assert.notDeepEqual(chosen({ [TEST_SEED]: '8' }), [times, some, others, ofEach, ...left]);

  const [often, all, , ofAll] = chosen({ [TEST_SEED]: '7', [TEST_LONG]: 'true' });
  assert.deepEqual([often, all.length, ofAll.length], [20, 40, 40]);
});

test('the long form runs what is reserved for it, and so does a run that names the file, with the short form of the rest', () => {
  const [, some, , , few, skipped] = chosen({ [TEST_SEED]: '7' });
  assert.deepEqual([few, skipped], [some, 'part of npm run test:long']);

  const [times, stillSome, , , all, tried] = chosen({ [TEST_SEED]: '7', [TEST_NAMED]: 'true' });
  assert.deepEqual([times, stillSome, all.length, tried], [2, some, 40, false]);

  const [, , , , allInLong, triedInLong] = chosen({ [TEST_SEED]: '7', [TEST_LONG]: 'true' });
  assert.deepEqual([allInLong.length, triedInLong], [40, false]);
});
