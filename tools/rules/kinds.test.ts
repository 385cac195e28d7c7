import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTree } from '../tree.ts';
import { getKindsStandAlone } from './kinds.ts';

const rule = getKindsStandAlone({ 'packages/domain/src/schemes': ['BEARER', 'QUERY'], 'packages/domain/src/slots': ['QUERY'] });
const foundIn = (text: string, path = 'packages/egress/src/a.ts') => rule(buildTree({ [path]: text })).map(({ line }) => line);

test('finds every comparison with the word of a kind', () => {
  assert.deepEqual(foundIn("export const a = (scheme: string) => scheme === 'BEARER';"), [1]);
  assert.deepEqual(foundIn("export const a = (scheme: string) =>\n  'QUERY' !== scheme ? 1 : 2;"), [2]);
  assert.deepEqual(
    foundIn("export const a = (b: string) => {\n  switch (b) {\n    case 'BEARER':\n      return 1;\n  }\n  return 2;\n};"),
    [3],
  );
});

test('finds none in the files of the kinds, in tests, and of other words', () => {
  const compares = "export const a = (scheme: string) => scheme === 'QUERY';";
  for (const path of ['packages/domain/src/schemes/query.ts', 'packages/domain/src/slots/query.ts', 'packages/egress/src/a.test.ts'])
    assert.deepEqual(foundIn(compares, path), [], path);
  assert.deepEqual(foundIn("export const a = (scheme: string) => scheme === 'OTHER';"), []);
  assert.deepEqual(foundIn("export const a = { BEARER: 1, QUERY: 'QUERY' };"), []);
});
