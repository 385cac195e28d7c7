import type { Execution } from '@svc/contract/actions/decisions.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import type { GovernAnswer } from './answer.ts';
import type { Stop } from './stop-now.ts';

const KEPT = 'The result is recorded, and is not returned to a stopped agent.';

/** Returns the execution that a stopped agent may see: whether and how often the call was made, without its response. */
export const withholdResult = ({ state, tries }: Execution): Execution => ({
  state,
  reason: KEPT,
  ...(tries === undefined ? {} : { tries }),
});

/** It is unknown whether the agent may have it; a code that invites a plain retry could repeat the call. */
const UNKNOWN = {
  code: 'EXECUTION_TIMEOUT',
  reason:
    'The call was made and recorded, but the permission to return its response could not be checked. Read the action before you try again.',
  details: undefined,
} as const;

/** Returns the response to an action whose agent was stopped during the call: the refusal of a new request, with the state of the call. */
export const withhold = (answer: GovernAnswer, stop: Stop | 'unknown'): GovernAnswer => {
  const { large, decision } = answer;
  large?.release();
  const { code, reason = ERRORS[code].message, details } = stop === 'unknown' ? UNKNOWN : stop;
  const execution = decision.execution && withholdResult(decision.execution);
  return {
    code,
    details,
    rules: answer.rules,
    decision: { ...decision, code, reason, ...(execution ? { execution } : {}), ...(details === undefined ? {} : { details }) },
  };
};
