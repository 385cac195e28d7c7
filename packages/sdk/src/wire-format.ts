/** What the gateway's addresses and headers are called. Spelled here once more so that the published package stands alone. */
export const PATHS = {
  platformKey: '/.well-known/svc-platform-key',
  token: '/gateway/v1/token',
  handshake: '/gateway/v1/handshake',
  logout: '/gateway/v1/logout',
  actions: '/gateway/v1/actions',
  approvals: '/gateway/v1/approvals',
  delegations: '/gateway/v1/delegations',
} as const;

export const HEADER_NAMES = {
  idempotencyKey: 'idempotency-key',
  requestId: 'x-request-id',
  retryAfter: 'retry-after',
} as const;

/** `typ` of the signed assertion by which an agent proves who it is. */
export const ASSERTION_TYPE = 'svc-assertion+jws';

/** From weakest to strictest. A decision with any other effect is not understood, and so never acted on. */
export const EFFECTS = ['ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK'] as const;

export const MODES = ['OBSERVE', 'SIMULATE', 'ENFORCE'] as const;

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

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED', 'CANCELLED', 'CONSUMED'] as const;
