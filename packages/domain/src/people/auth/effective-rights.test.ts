import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveRights, type RightsLink } from './effective-rights.ts';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');
const link = (kind: RightsLink['kind'], permissions: string[], more: Partial<RightsLink> = {}): RightsLink => ({
  ...{ kind, permissions, workspace_ids: null, revoked_at: null },
  expires_at: kind === 'USER' ? null : '2030-01-01T00:00:00.001Z',
  ...more,
});
const person = (permissions: string[], more?: Partial<RightsLink>) => link('USER', permissions, more);
const key = (permissions: string[], more?: Partial<RightsLink>) => link('API_KEY', permissions, more);

test("limits a key's role to its creator's permissions", () => {
  assert.deepEqual(effectiveRights([key(['a', 'b']), person(['b', 'c'])], NOW)?.permissions, ['b']);
  assert.deepEqual(effectiveRights([key(['a']), person([])], NOW)?.permissions, []);
});

test('limits a key by every key in its chain', () => {
  assert.deepEqual(effectiveRights([key(['a', 'b', 'c']), key(['b', 'c']), person(['a', 'b'])], NOW)?.permissions, ['b']);
});

test('limits a key to the workspaces of all in its chain', () => {
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

test('ends a key with any link of its chain', () => {
  const over = { expires_at: '2030-01-01T00:00:00.000Z' };
  for (const ended of [over, { expires_at: 'never' }, { revoked_at: '2029-01-01T00:00:00.000Z' }])
    assert.equal(effectiveRights([key(['a']), key(['a'], ended), person(['a'])], NOW), undefined, JSON.stringify(ended));
});

test('rejects a key without a person among its creators', () => {
  assert.equal(effectiveRights([key(['a'])], NOW), undefined);
  assert.equal(effectiveRights([], NOW), undefined);
});
