import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AGENT_STATUSES, type AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { checkOperational } from './check-operational.ts';

test('only an ACTIVE agent may act, and each other status says why not', () => {
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

test('a status that this version does not know is refused', () => {
  assert.equal(checkOperational('QUARANTINED' as AgentStatus)?.refused, 'AGENT_NOT_OPERATIONAL');
});
