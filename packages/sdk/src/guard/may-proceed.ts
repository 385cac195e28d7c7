import type { Decision } from '../wire/answers.ts';

/**
 * True if the agent's own process may execute the action, now and once. False for everything else: refused, simulated, a dry run, executed
 * by the service, or already reported.
 */
export const mayProceed = ({ mode, status, code, decision, execution, action_id }: Decision): boolean => {
  if (action_id === null || execution?.state !== 'BY_AGENT') return false;
  if (mode === 'OBSERVE') return status === 'OBSERVED';
  return mode === 'ENFORCE' && status === 'ALLOWED' && code === null && decision !== 'BLOCK';
};
