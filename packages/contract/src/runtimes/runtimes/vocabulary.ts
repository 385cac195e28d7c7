/** Kinds of runtimes that agents run in. */
export const RUNTIME_KINDS = ['WORKFLOW_AUTOMATION', 'WORKFLOW_AUTOMATION_MANAGED', 'MCP_CLIENT', 'API_PLATFORM', 'SDK_PROGRAM'] as const;
export type RuntimeKind = (typeof RUNTIME_KINDS)[number];

/** The status that people set. DISCONNECTED: the service no longer has access to the runtime. */
export const RUNTIME_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED', 'RECOVERING', 'DISCONNECTED'] as const;
export type RuntimeStatus = (typeof RUNTIME_STATUSES)[number];

/** Result of the last connection test. */
export const CONNECTION_HEALTHS = ['UNKNOWN', 'HEALTHY', 'DEGRADED', 'UNAUTHORIZED', 'UNREACHABLE'] as const;
export type ConnectionHealth = (typeof CONNECTION_HEALTHS)[number];

/**
 * How far evidence shows that agents of a runtime cannot bypass the service, weakest first. BYPASSED: a bypass is known. UNKNOWN: evidence
 * is missing or too old. DETECTED: bypasses would be found. PARTIAL: most are prevented. ENFORCED: all that were examined are prevented.
 */
export const ENFORCEMENT_STATUSES = ['BYPASSED', 'UNKNOWN', 'DETECTED', 'PARTIAL', 'ENFORCED'] as const;
export type EnforcementStatus = (typeof ENFORCEMENT_STATUSES)[number];

/** Permitted use of the API key: no calls, reading, or also deactivating workflows and creating test workflows. */
export const ADMIN_ACCESS = ['NONE', 'READ', 'OPERATE'] as const;
export type AdminAccess = (typeof ADMIN_ACCESS)[number];

export const RUN_TRIGGERS = ['MANUAL', 'SCHEDULED', 'RECOVER', 'OPERATE'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

export const RUN_STATES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'ABANDONED'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const RUN_STEPS = [
  'CONNECT',
  'SETTINGS',
  'PEOPLE',
  'CREDENTIALS',
  'WORKFLOWS',
  'FOLLOW',
  'EXECUTIONS',
  'CANARIES',
  'CONFIRM',
  'REPORTS',
  'ASSESS',
] as const;
export type RunStep = (typeof RUN_STEPS)[number];

/** Names of what verification observes. Each holds, does not hold, or could not be observed. */
export const EVIDENCE_NAMES = [
  'REACHED',
  'KEY_SCOPES',
  'INVENTORY',
  'SETTINGS',
  'PEOPLE',
  'CREDENTIALS',
  'EXECUTIONS',
  'CANARY_NODE',
  'CANARY_EGRESS',
  'BUNDLE',
  'HOOK_ALIVE',
  'NETWORK',
  'CLIENT_FILES',
  'MANAGED_FILES',
  'PLATFORM_FILES',
  'COVERAGE',
] as const;
export type EvidenceName = (typeof EVIDENCE_NAMES)[number];

export const FINDING_SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

export const FINDING_STATUSES = ['OPEN', 'ACCEPTED', 'RESOLVED'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

export const FINDING_KINDS = [
  ...(['DIRECT_SERVICE', 'DIRECT_HTTP', 'DYNAMIC_DESTINATION', 'RAW_NETWORK', 'HOST_COMMAND', 'HOST_FILES', 'CODE_NODE'] as const),
  ...(['AI_TOOL_UNGOVERNED', 'MODEL_DIRECT', 'OPEN_TRIGGER', 'RESUME_OPEN', 'LOCAL_CREDENTIAL', 'UNUSED_CREDENTIAL'] as const),
  ...(['SECRET_IN_WORKFLOW', 'ENV_ACCESS', 'SUBWORKFLOW_BYPASS', 'ERROR_WORKFLOW_BYPASS', 'SUBWORKFLOW_UNKNOWN'] as const),
  ...(['COMMUNITY_NODE', 'UNKNOWN_NODE', 'FOREIGN_GATEWAY', 'REFUSAL_SWALLOWED', 'INSECURE_TRANSPORT', 'SELF_MANAGEMENT'] as const),
  ...(['SELF_CALL', 'EXPOSED_BY_MCP', 'PINNED_DATA', 'NO_EXECUTION_EVIDENCE', 'UNGOVERNED_EXECUTION', 'WORKFLOW_CHANGED'] as const),
  ...(['PEOPLE_NO_SECOND_FACTOR', 'KEY_TOO_WIDE', 'KEY_ENDS_SOON', 'SETTING_DIFFERS', 'SETTING_CONTRADICTED', 'CANARY_LEFT'] as const),
  ...(['OPERATE_NOT_APPLIED', 'TOO_LARGE'] as const),
  ...(['MCP_SERVER_DIRECT', 'MCP_SECRET_IN_FILE', 'MCP_POLICY_ABSENT', 'MCP_PACKAGE_UNPINNED', 'FILE_UNREADABLE'] as const),
  ...(['ROUTE_AROUND', 'AUTHZ_FAIL_OPEN', 'AUTHZ_DISABLED_ON_ROUTE', 'AUTHZ_CACHED'] as const),
  ...(['SDK_COVERAGE_PARTIAL', 'SDK_SILENT', 'SDK_TOOL_UNREPORTED'] as const),
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Findings whose risk cannot be accepted: they show that the runtime or its gateway cannot be trusted. */
export const UNACCEPTABLE_FINDINGS: readonly FindingKind[] = ['FOREIGN_GATEWAY', 'SETTING_CONTRADICTED', 'OPERATE_NOT_APPLIED'];

/** Why the accepted risk of a finding is open again. */
export const ACCEPTANCE_ENDS = ['EXPIRED', 'CHANGED', 'WITHDRAWN'] as const;
export type AcceptanceEnd = (typeof ACCEPTANCE_ENDS)[number];

export const REPORT_SOURCES = ['CLI', 'UPLOAD', 'SDK', 'HOOK'] as const;
export type ReportSource = (typeof REPORT_SOURCES)[number];

/** Cause of an assessment. */
export const ASSESSMENT_CAUSES = ['REGISTERED', 'VERIFIED', 'DECAYED', 'ACCEPTED', 'OPERATED', 'REPORTED', 'CHANGED'] as const;
export type AssessmentCause = (typeof ASSESSMENT_CAUSES)[number];
