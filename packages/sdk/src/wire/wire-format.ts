// Written by `npm run generate -- sdk:words` from the contract, so that the published package stands alone. Not to be edited.

/** Addresses at the gateway. */
export const PATHS = {
  platformKey: '/.well-known/svc-platform-key',
  token: '/gateway/v1/token',
  handshake: '/gateway/v1/handshake',
  logout: '/gateway/v1/logout',
  actions: '/gateway/v1/actions',
  approvals: '/gateway/v1/approvals',
  delegations: '/gateway/v1/delegations',
} as const;

/** Headers that the client sends or reads. */
export const HEADER_NAMES = { idempotencyKey: 'idempotency-key', requestId: 'x-request-id', retryAfter: 'retry-after' } as const;

/** Headers of a webhook delivery. */
export const WEBHOOK_HEADERS = {
  signature: 'svc-signature',
  eventId: 'svc-event-id',
  eventType: 'svc-event-type',
  deliveryId: 'svc-delivery-id',
  deliveryAttempt: 'svc-delivery-attempt',
} as const;

/** How far the time of a webhook delivery may be from the receiver's clock. */
export const WEBHOOK_WINDOW_SECONDS = 300;

/** `typ` of the signed assertion by which an agent proves who it is. */
export const ASSERTION_TYPE = 'svc-assertion+jws';

/** From weakest to strictest. A decision with any other effect is not understood, and so never acted on. */
export const EFFECTS = ['ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK'] as const;

/** How an environment applies decisions. */
export const MODES = ['OBSERVE', 'SIMULATE', 'ENFORCE'] as const;

/** Status of an action. */
export const ACTION_STATUSES = [
  'ALLOWED',
  'BLOCKED',
  'PENDING_APPROVAL',
  'APPROVED',
  'EXECUTING',
  'COMPLETED',
  'FAILED',
  'UNKNOWN',
  'EXPIRED',
  'CANCELLED',
  'OBSERVED',
  'SIMULATED',
] as const;

/** Status of an approval. */
export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED', 'CANCELLED', 'CONSUMED'] as const;

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
