import type { Execution } from '@svc/contract/actions/decisions.ts';
import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import { MASKED } from '@svc/policy/masks/mask-secrets.ts';

const WITHHELD = 'The result is withheld: rules mask parts of it, but it is not JSON, so these parts cannot be identified.';
const ERROR_WITHHELD = 'The agent reported an error. Its text is withheld, because rules mask parts of the result.';

const hasMembers = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * An execution whose result shows nothing that the rules mask. A result in which the paths cannot be looked for, such as text, is withheld
 * as a whole: what cannot be masked is not shown.
 */
export const maskExecution = (execution: Execution, paths: readonly string[]): Execution => {
  const { result } = execution;
  if (paths.length === 0 || result === undefined || result === null) return execution;
  if (hasMembers(result)) return { ...execution, result: maskPaths(result, paths) };
  return { ...execution, result: MASKED, reason: [execution.reason, WITHHELD].filter(Boolean).join(' ') };
};

/** As above for what an agent reports, whose error text is its own words. */
export const maskReport = (execution: Execution, paths: readonly string[]): Execution =>
  maskExecution(paths.length > 0 && execution.reason !== undefined ? { ...execution, reason: ERROR_WITHHELD } : execution, paths);
