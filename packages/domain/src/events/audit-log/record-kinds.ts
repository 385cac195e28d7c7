import type { CoveredRecord } from '@svc/contract/events/audit-log.ts';
import { ACTION } from './record-kinds/action.ts';
import { AGENT, DELEGATION } from './record-kinds/agents.ts';
import { APPROVAL } from './record-kinds/approval.ts';
import { A2A_CONNECTION, MCP_SERVER, MCP_TOOL } from './record-kinds/peers.ts';
import { API_KEY, MEMBER, ROLE, SSO_CONNECTION } from './record-kinds/people.ts';
import { POLICY, POLICY_INVARIANT, POLICY_VERSION } from './record-kinds/policies.ts';
import type { RecordKind } from './record-kinds/record-kind.ts';
import { RUNTIME } from './record-kinds/runtimes.ts';
import { ENVIRONMENT, ORGANIZATION, WEBHOOK_SUBSCRIPTION, WORKSPACE } from './record-kinds/tenancy.ts';
import { CREDENTIAL, TOOL, TOOL_VERSION } from './record-kinds/tools.ts';
import { TRUST_EVIDENCE, TRUST_PROVIDER } from './record-kinds/trust.ts';

/** Every kind of rows that the log covers, by the type that the wire names it by. */
export const RECORD_KINDS = {
  a2a_connection: A2A_CONNECTION,
  action: ACTION,
  agent: AGENT,
  api_key: API_KEY,
  approval: APPROVAL,
  credential: CREDENTIAL,
  delegation: DELEGATION,
  environment: ENVIRONMENT,
  mcp_server: MCP_SERVER,
  mcp_tool: MCP_TOOL,
  member: MEMBER,
  organization: ORGANIZATION,
  policy: POLICY,
  policy_invariant: POLICY_INVARIANT,
  policy_version: POLICY_VERSION,
  role: ROLE,
  runtime: RUNTIME,
  sso_connection: SSO_CONNECTION,
  tool: TOOL,
  tool_version: TOOL_VERSION,
  trust_evidence: TRUST_EVIDENCE,
  trust_provider: TRUST_PROVIDER,
  webhook_subscription: WEBHOOK_SUBSCRIPTION,
  workspace: WORKSPACE,
} as const satisfies Readonly<Record<CoveredRecord, RecordKind>>;
export type RecordType = keyof typeof RECORD_KINDS;
export const RECORD_TYPES = Object.keys(RECORD_KINDS) as readonly RecordType[];

export const isRecordType = (type: unknown): type is RecordType => typeof type === 'string' && Object.hasOwn(RECORD_KINDS, type);
