import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newResolve } from '../schema/resolve-reference.ts';
import { shapeOf } from './shape-of.ts';

test('a schema that names itself many times over is looked through in the time of one that does not', () => {
  const itself = { $ref: '#/components/schemas/A' };
  const schemas = {
    A: { anyOf: Array.from({ length: 20 }, () => ({ ...itself })) },
    B: { allOf: Array.from({ length: 20 }, () => ({ $ref: '#/components/schemas/B' })) },
  };
  const resolve = newResolve({ components: { schemas } });
  assert.equal(shapeOf(itself, resolve).kind, 'other');
  assert.equal(shapeOf({ $ref: '#/components/schemas/B' }, resolve).kind, 'other');
});
