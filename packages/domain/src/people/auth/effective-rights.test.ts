import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveRights, type Link } from './effective-rights.ts';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');
const link = (kind: Link['kind'], permissions: string[], more: Partial<Link> = {}): Link => ({
  ...{ kind, permissions, workspace_ids: null, revoked_at: null },
  expires_at: kind === 'USER' ? null : '2030-01-01T00:00:00.001Z',
  ...more,
});
const person = (permissions: string[], more?: Partial<Link>) => link('USER', permissions, more);
const key = (permissions: string[], more?: Partial<Link>) => link('API_KEY', permissions, more);

test('a key has of its role what its maker has, and nothing besides', () => {
  assert.deepEqual(effectiveRights([key(['a', 'b']), person(['b', 'c'])], NOW)?.permissions, ['b']);
  assert.deepEqual(effectiveRights([key(['a']), person([])], NOW)?.permissions, []);
});

test('what a key was made through bounds it as well', () => {
  assert.deepEqual(effectiveRights([key(['a', 'b', 'c']), key(['b', 'c']), person(['a', 'b'])], NOW)?.permissions, ['b']);
});

test('a key sees the workspaces that each it was made by sees', () => {
  const seen = (...sets: (string[] | null)[]) =>
    effectiveRights(
      sets.map((workspace_ids, index) => (index === sets.length - 1 ? person : key)([], { workspace_ids })),
      NOW,
    )?.workspace_ids;
  assert.equal(seen(null, null), null);
  assert.deepEqual(seen(['x'], null), ['x']);
  assert.deepEqual(seen(null, ['x', 'y']), ['x', 'y']);
  assert.deepEqual(seen(['x', 'y'], ['y', 'z']), ['y']);
  assert.deepEqual(seen(['x'], null, ['y']), [], 'a set of none is not all');
});

test('a key ends with whatever it was made by', () => {
  const over = { expires_at: '2030-01-01T00:00:00.000Z' };
  for (const ended of [over, { expires_at: 'never' }, { revoked_at: '2029-01-01T00:00:00.000Z' }])
    assert.equal(effectiveRights([key(['a']), key(['a'], ended), person(['a'])], NOW), undefined, JSON.stringify(ended));
});

test('a key that leads to no person is none', () => {
  assert.equal(effectiveRights([key(['a'])], NOW), undefined);
  assert.equal(effectiveRights([], NOW), undefined);
});
