import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import { isFinal, refuseFinalStatus } from './final-status.ts';

test('treats a revoked, decommissioned or expired agent as ended, and no other', () => {
  assert.deepEqual(AGENT_STATUSES.filter(isFinal), ['EXPIRED', 'DECOMMISSIONED', 'REVOKED']);
});

test('refuses a change of an ended agent with the statuses that would have been accepted', () => {
  const allowed_from = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED'];
  for (const from of AGENT_STATUSES) {
    const refused = refuseFinalStatus('update', from);
    assert.deepEqual(refused?.details, allowed_from.includes(from) ? undefined : { operation: 'update', from, allowed_from });
    assert.equal(refused === null, allowed_from.includes(from), from);
  }
});
