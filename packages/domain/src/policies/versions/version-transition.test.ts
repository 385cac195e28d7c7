import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERSION_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import { refuseVersionTransition } from './version-transition.ts';

test('activates only a draft and restores only a superseded version', () => {
  const accepted = (operation: 'activate' | 'rollback') => VERSION_STATUSES.filter((from) => !refuseVersionTransition(operation, from));
  assert.deepEqual(accepted('activate'), ['DRAFT']);
  assert.deepEqual(accepted('rollback'), ['SUPERSEDED']);
});

test('names the status and the accepted ones in a refusal', () => {
  assert.deepEqual(refuseVersionTransition('activate', 'SUPERSEDED')?.details, {
    operation: 'activate',
    from: 'SUPERSEDED',
    allowed_from: ['DRAFT'],
  });
});
