import type { Execution } from '@svc/contract/actions/decisions.ts';
import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';

const WITHHELD = 'The result is withheld: rules mask parts of it, but it is not JSON, so these parts cannot be identified.';
const ERROR_WITHHELD = 'The agent reported an error. Its text is withheld, because rules mask parts of the result.';

const hasMembers = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Masks the result of an execution. A result in which paths cannot be found, such as text, is withheld as a whole. */
export const maskExecution = (execution: Execution, paths: readonly string[]): Execution => {
  const { result } = execution;
  if (paths.length === 0 || result === undefined || result === null) return execution;
  if (hasMembers(result)) return { ...execution, result: maskPaths(result, paths) };
  return { ...execution, result: MASKED, reason: [execution.reason, WITHHELD].filter(Boolean).join(' ') };
};

/** Masks the report of an agent in the same way; its error text is the agent's own. */
export const maskReport = (execution: Execution, paths: readonly string[]): Execution =>
  maskExecution(paths.length > 0 && execution.reason !== undefined ? { ...execution, reason: ERROR_WITHHELD } : execution, paths);
