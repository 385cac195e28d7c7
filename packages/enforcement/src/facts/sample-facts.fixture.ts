import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import { NO_FLOW } from '@svc/domain/risk/contexts/flow-context.ts';
import { prepareSettings } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import { compileSet } from '@svc/policy/judge/compile-set.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { createEmptyContexts } from './context-facts.ts';
import type { Facts } from './facts.ts';
import type { AgentSnapshot, EnvironmentSnapshot, ToolSnapshot } from './snapshots.ts';

/* One agent that may use one tool; tests override members. */

export const NOW = new Date('2026-03-01T12:00:00.000Z');

export const ALLOW: PolicyRule = { id: 'allow', effect: 'ALLOW', reason: 'Fine.' };
export const getPolicies = (rules: readonly PolicyRule[]) =>
  compileSet([
    compileVersion({
      policy_id: 'pol_1',
      policy_name: 'p',
      version_id: 'pvr_1',
      version_number: 1,
      binding: { scope: 'ORGANIZATION', id: 'org_1' },
      body: { rules: [...rules], tests: [] },
    }),
  ]);

const tool: ToolSnapshot = {
  id: 'tool_1',
  name: 'refund.create',
  description: '',
  required_capability: 'refund.create',
  kind: 'SDK',
  risk_rating: 'LOW',
  dangerous: false,
  credential: null,
  declaration_version: 1,
  declared_at: null,
  flow: NO_FLOW,
  requires_trust: null,
  routes: [],
  status: 'ACTIVE',
  disabled_reason: null,
  parameters_schema: {},
  amount_from: null,
  currency_from: null,
  destination_from: null,
  narrowable: [],
  allowlist: [],
  execution: null,
  mcp: null,
  a2a: null,
  checkParameters: () => [],
};

const environment: EnvironmentSnapshot = {
  organization_id: 'org_1',
  workspace_id: 'wsp_1',
  environment_id: 'env_1',
  type: 'PRODUCTION',
  mode: 'ENFORCE',
  paused_reason: null,
  is_archived: false,
  requires_delegation: false,
  separation: 'STRICT',
  base_currency: 'USD',
  risk: prepareSettings('PRODUCTION', {}),
  time_zone: 'UTC',
  requires_trust: null,
  disabled_providers: new Set(),
  blocked: [],
  rates: newRateTable('USD', []),
  epoch: 1,
  tools: new Map([
    ['refund.create', tool],
    ['tool_1', tool],
  ]),
  policies: getPolicies([ALLOW]),
};

const agent: AgentSnapshot = {
  organization_id: 'org_1',
  environment_id: 'env_1',
  agent_id: 'agt_1',
  name: 'clerk',
  status: 'ACTIVE',
  expires_at: null,
  require_dpop: false,
  labels: {},
  created_at: '2026-01-01T00:00:00.000Z',
  key_generation: 2,
  key_created_at: null,
  keys: [],
  capabilities: new Set(['refund.create']),
  capability_names: ['refund.create'],
  tool_ids: new Set(['tool_1']),
  passport_version: 1,
  passport_expires_at: '2027-01-01T00:00:00.000Z',
  session_series: 3,
  ended_sessions: new Set(['ses_ended']),
  has_contexts: false,
  chains: new Map(),
  root_chains: [],
  runtimes: [],
  evidence: [],
  epoch: 1,
};

export type Change = { environment?: Partial<EnvironmentSnapshot>; agent?: Partial<AgentSnapshot>; tool?: Partial<ToolSnapshot> } & Partial<
  Omit<Facts, 'environment' | 'agent'>
>;

export const getFacts = ({ environment: e, agent: a, tool: t, ...rest }: Change = {}): Facts => {
  const changed = { ...tool, ...t };
  const tools = new Map([
    ['refund.create', changed],
    ['tool_1', changed],
  ]);
  return {
    now: NOW,
    principal: { type: 'AGENT', id: 'agt_1' },
    session: { id: 'ses_1', generation: 2, series: 3, context: null },
    source: { ip: '203.0.113.7' },
    environment: { ...environment, tools, ...e },
    agent: { ...agent, ...a },
    request: { tool: 'refund.create', parameters: { order: '1' } },
    contexts: createEmptyContexts('*'),
    parametersBytes: 13,
    approval: undefined,
    marks: (kind, name) => [kind.length, name.length],
    requestHashes: (text) => ({ keyed: `keyed ${text}`, unkeyed: text }),
    ...rest,
  };
};
