import type { GatewayErrorCode } from './wire-format.ts';

export type { GatewayErrorCode };

/**
 * What this client itself refuses or cannot do:
 * - `NOT_EXECUTED`: permitted and on record, and the service did not make the call, for the reason told.
 * - `GATEWAY_UNREACHABLE`: no answer came back; whether the request arrived is unknown.
 * - `TIMED_OUT`: no final answer within the time given; whether the request was carried out is unknown.
 * - `ANSWER_UNREADABLE`: something answered that is not the gateway's contract; never taken for a permission.
 * - `SIMULATED`: the environment is in SIMULATE, so a guarded function does not run.
 * - `NOT_FOR_THIS_PROCESS`: nothing is left for a guarded function to carry out, because the service executes this tool itself, or has the
 *   outcome of this action already.
 * - `PARAMETERS_CHANGED`: what a guarded function was called with changed after the gateway had judged it.
 * - `CANNOT_MASK`: rules mask parameters of a guarded function, and nothing says which of its arguments those are; it did not run.
 * - `RESULT_WITHHELD`: a guarded function ran, and its result is of a kind in which nothing can be masked.
 * - `APPROVAL_PENDING`: nobody decided an approval within the time that the caller wanted to wait.
 * - `APPROVAL_NARROWED`: an approver agreed to less than was asked, and the caller has not agreed to that; nothing was sent with it.
 */
export type ClientErrorCode =
  | 'NOT_EXECUTED'
  | 'GATEWAY_UNREACHABLE'
  | 'TIMED_OUT'
  | 'ANSWER_UNREADABLE'
  | 'SIMULATED'
  | 'NOT_FOR_THIS_PROCESS'
  | 'PARAMETERS_CHANGED'
  | 'CANNOT_MASK'
  | 'RESULT_WITHHELD'
  | 'APPROVAL_PENDING'
  | 'APPROVAL_NARROWED';

/** Every code a {@link GovernanceError} can carry, known or to come. */
export type ErrorCode = GatewayErrorCode | ClientErrorCode | (string & {});
