import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { AGENT_STATUSES, type AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { AGENT_OPERATIONS, type AgentOperation, agentTransition } from './lifecycle.ts';

/** Written out a second time on purpose, one mark per status in the order of AGENT_STATUSES: y accepted, - refused. */
const expected: Record<AgentOperation, { marks: string; to: AgentStatus | 'same'; killsSessions: boolean }> = {
  pause: { marks: 'y------', to: 'PAUSED', killsSessions: false },
  resume: { marks: '-yyy---', to: 'ACTIVE', killsSessions: false },
  suspend: { marks: 'yy-y---', to: 'SUSPENDED', killsSessions: true },
  isolate: { marks: 'yyy----', to: 'ISOLATED', killsSessions: true },
  decommission: { marks: '-yy----', to: 'DECOMMISSIONED', killsSessions: true },
  revoke: { marks: 'yyyyyy-', to: 'REVOKED', killsSessions: true },
  renew_passport: { marks: 'yyyy---', to: 'same', killsSessions: false },
  rotate_credentials: { marks: 'yyy----', to: 'same', killsSessions: true },
};

test('the eight operations are the whole life of an agent', () => {
  assert.deepEqual([...AGENT_OPERATIONS].sort(), Object.keys(expected).sort());
});

for (const operation of AGENT_OPERATIONS) {
  test(`${operation} is accepted from exactly its own statuses, and a refusal names them`, () => {
    const row = expected[operation];
    const allowedFrom = AGENT_STATUSES.filter((_, at) => row.marks[at] === 'y');
    for (const from of AGENT_STATUSES) {
      const outcome = agentTransition(operation, from);
      if (!allowedFrom.includes(from)) {
        assert.ok(isRefusal(outcome));
        const { message = '', ...rest } = outcome;
        assert.deepEqual(rest, { refused: 'INVALID_STATE_TRANSITION', details: { operation, from, allowed_from: allowedFrom } });
        for (const status of [from, ...allowedFrom]) assert.ok(message.includes(status), message);
        continue;
      }
      assert.ok(!isRefusal(outcome));
      assert.equal(outcome.to, row.to === 'same' ? from : row.to);
      assert.equal(outcome.killsSessions, row.killsSessions);
    }
  });
}

test('resuming from a security restriction asks for more than resuming from a pause', () => {
  const lifts = (from: AgentStatus) => {
    const outcome = agentTransition('resume', from);
    return !isRefusal(outcome) && outcome.liftsRestriction;
  };
  assert.deepEqual([lifts('PAUSED'), lifts('SUSPENDED'), lifts('ISOLATED')], [false, true, true]);
});

test('nothing leads out of REVOKED', () => {
  for (const operation of AGENT_OPERATIONS) assert.ok(isRefusal(agentTransition(operation, 'REVOKED')), operation);
});
