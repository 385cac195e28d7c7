import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceedsLength } from './exceeds-length.ts';
import { validateCases } from './validate-cases.ts';

test('measures a value by its JSON, for any contents and depth', () => {
  const value = { a: [1, true, null], b: 'text' };
  assert.equal(exceedsLength(value, JSON.stringify(value).length + 5), false);
  assert.equal(exceedsLength(value, JSON.stringify(value).length - 8), true);
  const deep = JSON.parse(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
  assert.equal(exceedsLength(deep, 400_000), false);
  assert.equal(exceedsLength(deep, 1_000), true);
});

test('accepts no more in a test than a request can contain', () => {
  const getCase = (n: number) => [
    { name: 'a', given: { parameters: { l: Array.from({ length: n }, () => 0) } }, then: { effect: 'BLOCK' } },
  ];
  const bounds = { min: 1, max: 50, pointer: '/tests' };
  assert.equal(validateCases(getCase(30_000), new Set(), bounds).ok, true);
  const read = validateCases(getCase(40_000), new Set(), bounds);
  assert.deepEqual(read.ok || read.faults.map(({ pointer }) => pointer), ['/tests/0/given']);
});
