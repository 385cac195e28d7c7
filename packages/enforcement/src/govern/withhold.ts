import type { Execution } from '@svc/contract/actions/decisions.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import type { Answer } from './answer.ts';
import type { Stop } from './stop-now.ts';

const KEPT = 'The result is recorded, and is not returned to a stopped agent.';

/** What an agent that is stopped is told of a call: whether and how often it was made, and nothing of what was answered to it. */
export const withoutAnswer = ({ state, tries }: Execution): Execution => ({
  state,
  reason: KEPT,
  ...(tries === undefined ? {} : { tries }),
});

/** Nobody knows whether the agent may have it; a code that invites a plain retry could make the call happen twice. */
const UNKNOWN = {
  code: 'EXECUTION_TIMEOUT',
  reason:
    'The call was made and recorded, but the permission to return its response could not be checked. Read the action before you try again.',
  details: undefined,
} as const;

/** The answer to an action whose agent was stopped while its call was out: refused as a new request would be, beside what became of the call. */
export const withhold = (answer: Answer, stop: Stop | 'unknown'): Answer => {
  const { large, decision } = answer;
  large?.release();
  const { code, reason = ERRORS[code].message, details } = stop === 'unknown' ? UNKNOWN : stop;
  const execution = decision.execution && withoutAnswer(decision.execution);
  return {
    code,
    details,
    rules: answer.rules,
    decision: { ...decision, code, reason, ...(execution ? { execution } : {}), ...(details === undefined ? {} : { details }) },
  };
};
