import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_STATUSES, type AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { checkOperational } from './check-operational.ts';

test('lets only an ACTIVE agent act, and gives a reason for each other status', () => {
  assert.deepEqual(
    AGENT_STATUSES.map((status) => checkOperational(status)?.refused ?? 'may act'),
    [
      'may act',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_ISOLATED',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_NOT_OPERATIONAL',
      'AGENT_IDENTITY_REVOKED',
    ],
  );
});

test('refuses a status that this version does not know', () => {
  assert.equal(checkOperational('QUARANTINED' as AgentStatus)?.refused, 'AGENT_NOT_OPERATIONAL');
});
