import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POLICY_SCOPES } from '@svc/contract/tables/vocabulary.ts';
import { reachesBeyond } from './binding-reach.ts';

const beyond = (limit: Parameters<typeof reachesBeyond>[0]) => POLICY_SCOPES.filter((scope) => reachesBeyond(limit, scope));

test('binds anywhere without a limit', () => {
  assert.deepEqual(beyond({}), []);
  assert.deepEqual(beyond({ workspace_ids: null, environment_id: null }), []);
});

test('does not bind the organization for a caller limited to a workspace', () => {
  assert.deepEqual(beyond({ workspace_ids: ['wsp_1'] }), ['ORGANIZATION']);
});

test('does not bind the organization or the workspace for a caller limited to an environment', () => {
  assert.deepEqual(beyond({ environment_id: 'env_1' }), ['ORGANIZATION', 'WORKSPACE']);
  assert.deepEqual(beyond({ workspace_ids: ['wsp_1'], environment_id: 'env_1' }), ['ORGANIZATION', 'WORKSPACE']);
});
