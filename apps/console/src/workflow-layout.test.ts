import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutWorkflow, NODE_BOX } from '../web/runtimes/runtimes/lay-out-workflow.ts';

const columnsOf = (ids: string[], ...edges: [string, string][]): Record<string, number> => {
  const { nodes } = layOutWorkflow(
    ids,
    edges.map(([from, to]) => ({ from, to })),
  );
  return Object.fromEntries(nodes.map(({ id, x }) => [id, x / (NODE_BOX.width + NODE_BOX.gapX)]));
};

test('each node is one column behind the one that runs it, and no two nodes overlap', () => {
  assert.deepEqual(columnsOf(['a', 'b', 'c', 'd'], ['a', 'b'], ['b', 'c'], ['a', 'd']), { a: 0, b: 1, c: 2, d: 1 });
  const { nodes, width, height } = layOutWorkflow(['a', 'b', 'c'], [{ from: 'a', to: 'b' }]);
  assert.equal(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size, 3);
  assert.ok(width > 0 && height > 0);
});

test('cycles, edges to a node itself and workflows without a start are drawn', () => {
  assert.deepEqual(columnsOf(['a', 'b'], ['a', 'b'], ['b', 'a']), { a: 0, b: 1 });
  assert.deepEqual(columnsOf(['a'], ['a', 'a']), { a: 0 });
  assert.deepEqual(layOutWorkflow([], []), { nodes: [], width: 0, height: 0 });
});
