import type { GatewayErrorCode } from './wire-format.ts';

export type { GatewayErrorCode };

/**
 * Refusals and failures of this client itself:
 * - `NOT_EXECUTED`: permitted and recorded, but the service did not make the call, for the stated reason.
 * - `GATEWAY_UNREACHABLE`: no response; it is unknown whether the request arrived.
 * - `TIMED_OUT`: no final response in time; it is unknown whether the request was executed.
 * - `ANSWER_UNREADABLE`: a response that does not follow the gateway's contract; never taken for a permission.
 * - `SIMULATED`: the environment is in SIMULATE, so a guarded function does not run.
 * - `NOT_FOR_THIS_PROCESS`: there is nothing for a guarded function to execute, because the service executes this tool itself, or already
 * has the outcome of this action.
 * - `PARAMETERS_CHANGED`: the arguments of a guarded function changed after the gateway had judged them.
 * - `CANNOT_MASK`: rules mask parameters of a guarded function, and it is unknown which of its arguments those are; it did not run.
 * - `RESULT_WITHHELD`: a guarded function ran, and its result is of a kind that cannot be masked.
 * - `APPROVAL_PENDING`: an approval was not decided within the time that the caller wanted to wait.
 * - `APPROVAL_NARROWED`: an approver edited the request, and the caller has not accepted that; nothing was sent with it.
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

/** Every code that a {@link GovernanceError} can have, including future ones. */
export type ErrorCode = GatewayErrorCode | ClientErrorCode | (string & {});
