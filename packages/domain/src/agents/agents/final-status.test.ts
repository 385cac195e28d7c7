import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_STATUSES } from '@svc/contract/tables/vocabulary.ts';
import { finalStatusRefusal, isFinal } from './final-status.ts';

test('a revoked, decommissioned or expired agent is over, and no other', () => {
  assert.deepEqual(AGENT_STATUSES.filter(isFinal), ['EXPIRED', 'DECOMMISSIONED', 'REVOKED']);
});

test('a change of an agent that is over is refused with the statuses it would have been accepted from', () => {
  const allowed_from = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED'];
  for (const from of AGENT_STATUSES) {
    const refused = finalStatusRefusal('update', from);
    assert.deepEqual(refused?.details, allowed_from.includes(from) ? undefined : { operation: 'update', from, allowed_from });
    assert.equal(refused === null, allowed_from.includes(from), from);
  }
});
