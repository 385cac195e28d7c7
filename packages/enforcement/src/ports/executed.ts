import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ActionStatus } from '@svc/contract/tables/vocabulary.ts';
import type { LargeResult } from './execution-results.ts';

/** What is answered when the call of a permitted action did not go well. */
export const EXECUTION_CODES = [
  'EXECUTION_FAILED',
  'EXECUTION_TIMEOUT',
  'DESTINATION_BLOCKED',
  'CREDENTIAL_SERVICE_UNAVAILABLE',
  'RATE_LIMITED',
  'DEPENDENCY_UNAVAILABLE',
] as const;
export type ExecutionCode = (typeof EXECUTION_CODES)[number];

export type Executed = {
  readonly status: ActionStatus;
  readonly execution: Execution;
  readonly code: ExecutionCode | null;
  /** The result, where it is too large to be a member of `execution`. To be released by whoever does not tell it. */
  readonly large?: LargeResult;
  /** Why, in words for people of the organization alone. */
  readonly detail?: string;
  /** The state that its decision was made at has moved meanwhile. */
  readonly isOvertaken?: true;
  /** No byte of the call was sent. */
  readonly isUnsent?: true;
  /** It went where nothing may go. */
  readonly isBlocked?: true;
};
