import { A2A_LIMITS } from './limits/a2a-limits.ts';
import { ACCESS_LIMITS } from './limits/access-limits.ts';
import { ADMISSION_LIMITS } from './limits/admission-limits.ts';
import { AGENT_LIMITS } from './limits/agent-limits.ts';
import { ACTION_LIMITS, APPROVAL_LIMITS } from './limits/approval-limits.ts';
import { AUDIT_LIMITS } from './limits/audit-limits.ts';
import { AUTH_LIMITS } from './limits/auth-limits.ts';
import { CONNECTION_LIMITS } from './limits/connection-limits.ts';
import { CREDENTIAL_LIMITS, OAUTH_LIMITS } from './limits/credential-limits.ts';
import { DATABASE_LIMITS } from './limits/database-limits.ts';
import { DELEGATION_LIMITS } from './limits/delegation-limits.ts';
import { EGRESS_LIMITS } from './limits/egress-limits.ts';
import { EXECUTION_LIMITS } from './limits/execution-limits.ts';
import { IDENTITY_LIMITS } from './limits/identity-limits.ts';
import { INCIDENT_LIMITS } from './limits/incident-limits.ts';
import { MAIL_LIMITS } from './limits/mail-limits.ts';
import { MCP_LIMITS } from './limits/mcp-limits.ts';
import { MONEY_LIMITS } from './limits/money-limits.ts';
import { NOTIFICATION_LIMITS } from './limits/notification-limits.ts';
import { PEER_LIMITS } from './limits/peer-limits.ts';
import { PEOPLE_LIMITS } from './limits/people-limits.ts';
import { POLICY_SET_LIMITS } from './limits/policy-limits.ts';
import { PROCESS_LIMITS } from './limits/process-limits.ts';
import { OUTCOME_LIMITS, RECORDING_LIMITS } from './limits/recording-limits.ts';
import { REQUEST_LIMITS } from './limits/request-limits.ts';
import { RISK_LIMITS } from './limits/risk-limits.ts';
import { ROUTE_LIMITS } from './limits/route-limits.ts';
import { RUNTIME_LIMITS } from './limits/runtime-limits.ts';
import { STREAM_LIMITS } from './limits/stream-limits.ts';
import { TENANCY_LIMITS } from './limits/tenancy-limits.ts';
import { TOKEN_LIMITS } from './limits/token-limits.ts';
import { TOOL_IMPORT_LIMITS } from './limits/tool-import-limits.ts';
import { TOOL_LIMITS } from './limits/tool-limits.ts';
import { TRUST_LIMITS } from './limits/trust-limits.ts';
import { WEBHOOK_LIMITS } from './limits/webhook-limits.ts';
import { SETTINGS_PREFIX } from './wire-name.ts';

/** Every limit of the service. A name ends in its unit; if it ends in `Max` or `Min` the unit is a count. */
export const LIMITS = {
  ...ACCESS_LIMITS,
  ...ROUTE_LIMITS,
  ...AUTH_LIMITS,
  ...ACTION_LIMITS,
  ...APPROVAL_LIMITS,
  ...AGENT_LIMITS,
  ...AUDIT_LIMITS,
  ...EXECUTION_LIMITS,
  ...OAUTH_LIMITS,
  ...PEOPLE_LIMITS,
  ...INCIDENT_LIMITS,
  ...MAIL_LIMITS,
  ...MCP_LIMITS,
  ...A2A_LIMITS,
  ...RUNTIME_LIMITS,
  ...TRUST_LIMITS,
  ...WEBHOOK_LIMITS,
  ...NOTIFICATION_LIMITS,
  ...CREDENTIAL_LIMITS,
  ...TENANCY_LIMITS,
  ...IDENTITY_LIMITS,
  ...TOKEN_LIMITS,
  ...POLICY_SET_LIMITS,
  ...TOOL_LIMITS,
  toolImports: TOOL_IMPORT_LIMITS,
  ...MONEY_LIMITS,
  ...DELEGATION_LIMITS,
  ...DATABASE_LIMITS,
  recording: RECORDING_LIMITS,
  ...OUTCOME_LIMITS,
  ...REQUEST_LIMITS,
  connections: CONNECTION_LIMITS,
  ...ADMISSION_LIMITS,
  risk: RISK_LIMITS,
  streams: STREAM_LIMITS,
  ...PROCESS_LIMITS,
  egress: EGRESS_LIMITS,
  ...PEER_LIMITS,
} as const;

/** Names of the environment settings that change a default above or switch a feature. */
export const SETTINGS = {
  sessionLifetimeSeconds: 'SESSION_TTL_SECONDS',
  sessionIdleTimeoutSeconds: 'SESSION_IDLE_TIMEOUT_SECONDS',
  stepUpLifetimeSeconds: 'STEP_UP_TTL_SECONDS',
  loginAttemptsMax: 'MAX_LOGIN_ATTEMPTS',
  lockoutSeconds: 'LOGIN_LOCKOUT_SECONDS',
  agentTokenLifetimeSeconds: 'AGENT_TOKEN_TTL_SECONDS',
  assertionWindowSeconds: 'ASSERTION_WINDOW_SECONDS',
  realEgress: 'GATEWAY_ALLOW_REAL_EGRESS',
  egressAllowedCidrs: `${SETTINGS_PREFIX}EGRESS_ALLOW_CIDRS`,
  credentialsOverHttp: `${SETTINGS_PREFIX}CREDENTIALS_OVER_HTTP`,
  egressNameServers: `${SETTINGS_PREFIX}EGRESS_NAME_SERVERS`,
  exchangeRateProviderUrl: `${SETTINGS_PREFIX}FX_PROVIDER_URL`,
  reportWithinSeconds: `${SETTINGS_PREFIX}REPORT_WITHIN_SECONDS`,
  exchangeRateRefreshSeconds: `${SETTINGS_PREFIX}FX_REFRESH_SECONDS`,
  clockSkewMaxSeconds: `${SETTINGS_PREFIX}CLOCK_SKEW_MAX_SECONDS`,
  masterKey: `${SETTINGS_PREFIX}MASTER_KEY`,
  redisUrl: 'REDIS_URL',
  databaseUrl: 'DATABASE_URL',
  smtpUrl: 'SMTP_URL',
  host: 'HOST',
  controlPlanePort: 'CONTROL_PLANE_PORT',
  gatewayPort: 'GATEWAY_PORT',
  gatewayMetrics: `${SETTINGS_PREFIX}GATEWAY_METRICS`,
  signup: `${SETTINGS_PREFIX}SIGNUP`,
  dataFolder: 'DATA_DIR',
} as const satisfies Record<string, string>;

export type SettingKey = keyof typeof SETTINGS;
