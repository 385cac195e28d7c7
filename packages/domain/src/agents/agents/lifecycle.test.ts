import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { AGENT_STATUSES, type AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { AGENT_OPERATIONS, type AgentOperation, getAgentTransition } from './lifecycle.ts';

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

test('covers the life of an agent by eight operations', () => {
  assert.deepEqual([...AGENT_OPERATIONS].sort(), Object.keys(expected).sort());
});

for (const operation of AGENT_OPERATIONS) {
  test(`accepts ${operation} from exactly its own statuses, and names them in a refusal`, () => {
    const row = expected[operation];
    const allowedFrom = AGENT_STATUSES.filter((_, at) => row.marks[at] === 'y');
    for (const from of AGENT_STATUSES) {
      const outcome = getAgentTransition(operation, from);
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

test('names the lifted restriction: a suspension does not bypass an isolation', () => {
  const lifts = (operation: AgentOperation, from: AgentStatus) => {
    const outcome = getAgentTransition(operation, from);
    return isRefusal(outcome) ? undefined : outcome.lifts;
  };
  assert.deepEqual(
    [lifts('resume', 'PAUSED'), lifts('resume', 'SUSPENDED'), lifts('resume', 'ISOLATED')],
    [null, 'SUSPENSION', 'ISOLATION'],
  );
  assert.deepEqual([lifts('suspend', 'ACTIVE'), lifts('suspend', 'ISOLATED')], [null, 'ISOLATION']);
});

test('permits no transition out of REVOKED', () => {
  for (const operation of AGENT_OPERATIONS) assert.ok(isRefusal(getAgentTransition(operation, 'REVOKED')), operation);
});
