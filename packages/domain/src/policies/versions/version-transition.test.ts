import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERSION_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import { versionTransitionRefusal } from './version-transition.ts';

test('only a draft is activated and only a superseded version comes back', () => {
  const accepted = (operation: 'activate' | 'rollback') => VERSION_STATUSES.filter((from) => !versionTransitionRefusal(operation, from));
  assert.deepEqual(accepted('activate'), ['DRAFT']);
  assert.deepEqual(accepted('rollback'), ['SUPERSEDED']);
});

test('the refusal names the status and those that would be accepted', () => {
  assert.deepEqual(versionTransitionRefusal('activate', 'SUPERSEDED')?.details, {
    operation: 'activate',
    from: 'SUPERSEDED',
    allowed_from: ['DRAFT'],
  });
});
