/** A code of the service. The list only grows within a version, so a code that is not listed here can come too. */
export type GatewayErrorCode =
  | 'VALIDATION_FAILED'
  | 'INVALID_REQUEST'
  | 'INVALID_STATE_TRANSITION'
  | 'INVALID_POLICY'
  | 'INVALID_CREDENTIAL_REFERENCE'
  | 'NONCE_REPLAYED'
  | 'TIMESTAMP_OUT_OF_WINDOW'
  | 'UNAUTHENTICATED'
  | 'INVALID_CREDENTIALS'
  | 'SESSION_EXPIRED'
  | 'AGENT_AUTHENTICATION_FAILED'
  | 'AGENT_TOKEN_EXPIRED'
  | 'AGENT_IDENTITY_REVOKED'
  | 'IDENTITY_GENERATION_STALE'
  | 'SUBSCRIPTION_REQUIRED'
  | 'PERMISSION_DENIED'
  | 'STEP_UP_REQUIRED'
  | 'MFA_REQUIRED'
  | 'TENANT_MISMATCH'
  | 'NETWORK_RESTRICTED'
  | 'ACTION_BLOCKED'
  | 'AUTHORITY_EXCEEDED'
  | 'CAPABILITY_NOT_GRANTED'
  | 'DELEGATION_INVALID'
  | 'DELEGATION_EXPIRED'
  | 'DELEGATION_ESCALATION'
  | 'AGENT_NOT_OPERATIONAL'
  | 'AGENT_ISOLATED'
  | 'ENVIRONMENT_PAUSED'
  | 'TOOL_DISABLED'
  | 'TOOL_NOT_AUTHORIZED'
  | 'DESTINATION_BLOCKED'
  | 'APPROVAL_REQUIRED'
  | 'APPROVAL_NOT_GRANTED'
  | 'APPROVAL_EXPIRED'
  | 'TRUST_EVIDENCE_INSUFFICIENT'
  | 'PASSPORT_INVALID'
  | 'MCP_SERVER_NOT_TRUSTED'
  | 'A2A_CONNECTION_BLOCKED'
  | 'VELOCITY_LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'ALREADY_EXISTS'
  | 'VERSION_CONFLICT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'GONE'
  | 'UNPROCESSABLE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'EXECUTION_FAILED'
  | 'DEPENDENCY_UNAVAILABLE'
  | 'IDENTITY_SERVICE_UNAVAILABLE'
  | 'POLICY_SERVICE_UNAVAILABLE'
  | 'APPROVAL_SERVICE_UNAVAILABLE'
  | 'CREDENTIAL_SERVICE_UNAVAILABLE'
  | 'AUDIT_SERVICE_UNAVAILABLE'
  | 'EXECUTION_TIMEOUT';

/**
 * What this client itself refuses or cannot do:
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
 */
export type ClientErrorCode =
  | 'GATEWAY_UNREACHABLE'
  | 'TIMED_OUT'
  | 'ANSWER_UNREADABLE'
  | 'SIMULATED'
  | 'NOT_FOR_THIS_PROCESS'
  | 'PARAMETERS_CHANGED'
  | 'CANNOT_MASK'
  | 'RESULT_WITHHELD'
  | 'APPROVAL_PENDING';

/** Every code a {@link GovernanceError} can carry, known or to come. */
export type ErrorCode = GatewayErrorCode | ClientErrorCode | (string & {});
