/** Closed lists of words, spelled alike on the wire, in the database and in the code. */
export const MODES = ['OBSERVE', 'SIMULATE', 'ENFORCE'] as const;
export type Mode = (typeof MODES)[number];

export const ENVIRONMENT_TYPES = ['DEVELOPMENT', 'STAGING', 'PRODUCTION'] as const;
export type EnvironmentType = (typeof ENVIRONMENT_TYPES)[number];

export const PRINCIPAL_TYPES = ['USER', 'API_KEY', 'AGENT', 'SYSTEM'] as const;
export type PrincipalType = (typeof PRINCIPAL_TYPES)[number];

/** From weakest to strictest; the strictest of the matching rules wins. */
export const EFFECTS = ['ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK'] as const;
export type Effect = (typeof EFFECTS)[number];

export const AGENT_STATUSES = ['ACTIVE', 'PAUSED', 'SUSPENDED', 'ISOLATED', 'EXPIRED', 'DECOMMISSIONED', 'REVOKED'] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];

export const TOOL_KINDS = ['HTTP', 'MCP', 'SDK', 'A2A'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** Rule of an environment about approvals by people behind the agent. */
export const SEPARATIONS = ['STRICT', 'WHEN_POSSIBLE'] as const;
export type Separation = (typeof SEPARATIONS)[number];
export const RISK_RATINGS = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type RiskRating = (typeof RISK_RATINGS)[number];

export const POLICY_SCOPES = ['ORGANIZATION', 'WORKSPACE', 'ENVIRONMENT', 'AGENT'] as const;
export type PolicyScope = (typeof POLICY_SCOPES)[number];

export const VERSION_STATUSES = ['DRAFT', 'ACTIVE', 'SUPERSEDED'] as const;
export type VersionStatus = (typeof VERSION_STATUSES)[number];

/** DRAFT: never in force so far. SUSPENDED: was taken out of force. */
export const POLICY_STATUSES = ['DRAFT', 'ACTIVE', 'SUSPENDED'] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];

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
export type ActionStatus = (typeof ACTION_STATUSES)[number];

export const APPROVAL_STATUSES = ['PENDING', 'APPROVED', 'DENIED', 'EXPIRED', 'CANCELLED', 'CONSUMED'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const DELEGATION_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;
export type DelegationStatus = (typeof DELEGATION_STATUSES)[number];

/** Authority of the delegator: HELD if they could delegate now, LACKED if not at present, GONE if they left, which is permanent. */
export const DELEGATION_BACKINGS = ['HELD', 'LACKED', 'GONE'] as const;
export type DelegationBacking = (typeof DELEGATION_BACKINGS)[number];

/** How a terminal gets its session from the browser: a loopback address on its machine, or polling until it is approved. */
export const CLI_FLOWS = ['LOOPBACK', 'DEVICE'] as const;
export type CliFlow = (typeof CLI_FLOWS)[number];

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Words of the service and its organizations that an attacker would try: no password may consist of them. */
export const PASSWORD_WORDS = [
  'agent governance',
  'agentgovernance',
  'governance',
  'control plane',
  'controlplane',
  'gateway',
  'policy engine',
  'owner',
  'administrator',
  'approver',
  'auditor',
  'developer',
  'operator',
  'viewer',
] as const;
