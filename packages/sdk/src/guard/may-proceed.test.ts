import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDecision } from '@svc/testing/peers/peer-answers.ts';
import type { Decision } from '../wire/answers.ts';
import { ACTION_STATUSES, EFFECTS, MODES } from '../wire/wire-format.ts';
import { mayProceed } from './may-proceed.ts';

const STATES = ['EXECUTED', 'NOT_EXECUTED', 'BY_AGENT', 'FAILED', 'UNKNOWN', undefined] as const;

const all = function* (): Generator<Decision> {
  for (const mode of MODES)
    for (const status of ACTION_STATUSES)
      for (const decision of EFFECTS)
        for (const code of [null, 'ACTION_BLOCKED'])
          for (const state of STATES)
            for (const action_id of ['act_1', null])
              yield { ...buildDecision('x', { mode, status, decision, code, action_id }), execution: { state: state as 'BY_AGENT' } };
};

test('of all possible decisions, an agent may continue with those that ENFORCE permits and OBSERVE has recorded, and with no other', () => {
  const permitted = [...all()].filter(mayProceed);
  assert.ok(permitted.every(({ action_id, execution }) => action_id !== null && execution?.state === 'BY_AGENT'));
  assert.deepEqual(new Set(permitted.map(({ mode, status }) => `${mode} ${status}`)), new Set(['ENFORCE ALLOWED', 'OBSERVE OBSERVED']));
  const enforced = permitted.filter(({ mode }) => mode === 'ENFORCE');
  assert.deepEqual(
    enforced.map(({ decision, code }) => [decision, code]),
    [
      ['ALLOW', null],
      ['MASK', null],
      ['LIMIT', null],
      ['REQUIRE_APPROVAL', null],
    ],
  );
  assert.equal(permitted.length, 4 + 2 * EFFECTS.length);
});
