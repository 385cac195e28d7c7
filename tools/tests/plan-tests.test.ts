import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planTests } from './plan-tests.ts';
import { selectTests } from './select-tests.ts';

const AREAS = ['agents', 'tools'];
const FILES = [
  'apps/gateway/src/agents/identity/identity.test.ts',
  'e2e/attacks/agents-and-tools.test.ts',
  'packages/domain/src/agents/lifecycle.test.ts',
  'packages/domain/src/tools/schema.test.ts',
  'tools/tree.test.ts',
];

test('the word of an area selects its folder in every room, and any other part each path that holds it', () => {
  assert.deepEqual(selectTests(FILES, ['agents'], AREAS), [FILES[0], FILES[2]]);
  assert.deepEqual(selectTests(FILES, ['tools'], AREAS), [FILES[3]]);
  assert.deepEqual(selectTests(FILES, ['tools/tree', 'attacks'], AREAS), [FILES[1], FILES[4]]);
  assert.deepEqual(selectTests(FILES, [], AREAS), FILES);
});

test('the slowest begin first, quick files of a pure room share a process, and every file runs once', () => {
  const slow = 'packages/domain/src/tools/schema.test.ts';
  const other = 'packages/domain/src/agents/status.test.ts';
  const units = planTests([...FILES, other], { [slow]: 20, 'tools/tree.test.ts': 5 });
  assert.deepEqual(
    units.map(({ files }) => files),
    [[slow], ['tools/tree.test.ts'], ['packages/domain/src/agents/lifecycle.test.ts', other], [FILES[0]], [FILES[1]]],
  );
  assert.deepEqual(units.flatMap(({ files }) => files).sort(), [...FILES, other].sort());
});
