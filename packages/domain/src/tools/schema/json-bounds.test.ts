import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOutOfBounds } from './json-bounds.ts';

const bounds = { depthMax: 4, bytesMax: 100 };

test('accepts a value within its bounds', () => {
  assert.equal(findOutOfBounds({ a: [{ b: 'é😀' }], c: null }, bounds), undefined);
  assert.equal(findOutOfBounds({ a: { b: { c: { d: 1 } } } }, { ...bounds, depthMax: 5 })?.message, undefined);
});

test('names the position where a value gets too deep, at any depth', () => {
  assert.deepEqual(findOutOfBounds({ a: { b: { c: { d: { e: 1 } } } } }, bounds), {
    pointer: '/a/b/c/d',
    message: 'must not nest deeper than 4 levels',
  });
  const depths = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  assert.equal(findOutOfBounds(depths, bounds)?.pointer, '/0/0/0/0');
});

test('counts size in bytes, not characters', () => {
  assert.equal(findOutOfBounds('x'.repeat(98), bounds), undefined);
  assert.deepEqual(findOutOfBounds('x'.repeat(99), bounds), { pointer: '', message: 'must be at most 100 bytes of JSON' });
  assert.equal(findOutOfBounds('é'.repeat(49), bounds), undefined);
  assert.equal(findOutOfBounds('é'.repeat(50), bounds)?.pointer, '');
});

test('rejects text that the database cannot store and members that would become a prototype, at their pointers', () => {
  assert.equal(findOutOfBounds({ a: ['x\u0000'] }, bounds)?.pointer, '/a/0');
  assert.equal(findOutOfBounds({ a: '\ud800' }, bounds)?.pointer, '/a');
  assert.equal(findOutOfBounds({ a: { 'x\u0000': 1 } }, bounds)?.pointer, '/a');
  assert.equal(findOutOfBounds({ a: JSON.parse('{"__proto__":1}') }, bounds)?.pointer, '/a');
  assert.equal(findOutOfBounds({ a: { ['k'.repeat(257)]: 1 } }, { ...bounds, bytesMax: 1000 })?.pointer, '/a');
});
