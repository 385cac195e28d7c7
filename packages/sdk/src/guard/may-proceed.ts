import type { Decision } from '../wire/answers.ts';

/**
 * Whether the agent's own process may carry out what it asked for, now and once. False for everything else: refused, simulated, a dry
 * run, executed by the service, or reported as done already.
 */
export const mayProceed = ({ mode, status, code, decision, execution, action_id }: Decision): boolean => {
  if (action_id === null || execution?.state !== 'BY_AGENT') return false;
  if (mode === 'OBSERVE') return status === 'OBSERVED';
  return mode === 'ENFORCE' && status === 'ALLOWED' && code === null && decision !== 'BLOCK';
};
