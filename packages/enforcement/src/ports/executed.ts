import type { Execution } from '@svc/contract/actions/decisions.ts';
import type { ActionStatus } from '@svc/contract/tables/vocabulary.ts';
import type { LargeResult } from './execution-results.ts';

/** Codes if the call of a permitted action failed. */
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
  /** The result if it is too large for a member of `execution`. The receiver releases it if it is not returned. */
  readonly large?: LargeResult;
  /** Reason for people of the organization only. */
  readonly detail?: string;
  /** The state of its decision has changed meanwhile. */
  readonly isOvertaken?: true;
  /** No byte of the call was sent. */
  readonly isUnsent?: true;
  /** The destination was forbidden. */
  readonly isBlocked?: true;
};
