import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { PolicyRule, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { PARTNER_CARD_PATH, readPartnerJwk } from '../../sandbox/partner-agent.ts';
import { TICKET_SERVER_PATH } from '../../sandbox/ticket-server.ts';
import type { ControlPlane } from '../control-plane.ts';
import { CAPABILITIES, KNOWLEDGE_SERVER, readTool, refundTool, SHIPPING_PARTNER, TICKET_SERVER } from '../demo-tools.ts';
import { POLICY_RULES, POLICY_TESTS } from '../refund-policy.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import {
  ensureA2aConnection,
  ensureAgent,
  ensureEnvironment,
  ensureInboundConnection,
  ensureMcpServer,
  ensurePolicy,
  ensureTool,
  ensureVerifiedConnection,
  ensureWorkspace,
} from './ensure.ts';

export type SeededAgents = { readonly refunds: Agent; readonly reports: Agent };

/** Address of the sandbox receiver, and its data folder. */
export type SeedPlaces = { readonly sandboxOrigin: string; readonly dataDir: string };

const WEEK_SECONDS = 604_800;

/** The rules of the story with a week for approvals. */
const patientRules = POLICY_RULES.map((rule) =>
  rule.approval ? { ...rule, approval: { ...rule.approval, expires_in_seconds: WEEK_SECONDS } } : rule,
);

const reportRules: PolicyRule[] = [
  {
    id: 'drafts',
    effect: 'ALLOW',
    when: { field: 'parameters.audience', op: 'eq', value: 'internal' },
    reason: 'Reports for ourselves may be published.',
  },
];
const reportTests: PolicyTestCase[] = [
  { name: 'nothing goes to the public', given: { parameters: { audience: 'public' } }, then: { effect: 'BLOCK' } },
];

const ticketRules: PolicyRule[] = [
  {
    id: 'tickets',
    effect: 'ALLOW',
    when: { field: 'tool.name', op: 'eq', value: TICKET_SERVER.name },
    reason: 'Searching tickets changes nothing.',
  },
  {
    id: 'articles',
    effect: 'ALLOW',
    when: { field: 'tool.name', op: 'eq', value: KNOWLEDGE_SERVER.name },
    reason: 'Searching articles changes nothing.',
  },
  {
    id: 'shipments',
    effect: 'ALLOW',
    when: { field: 'tool.name', op: 'eq', value: SHIPPING_PARTNER.name },
    reason: 'The partner may be asked for shipments.',
  },
];
const ticketTests: PolicyTestCase[] = [TICKET_SERVER, KNOWLEDGE_SERVER, SHIPPING_PARTNER].map(({ name }) => ({
  name: `${name} is allowed`,
  given: { tool: { name } },
  then: { effect: 'ALLOW' },
}));

/**
 * Creates the organization: support may refund, under rules by amount, and search tickets over MCP and ask a partner over A2A; finance may publish for itself only.
 */
export const seedOrganization = async (
  owner: ControlPlane,
  { password, agents }: DemoCredentials,
  { sandboxOrigin, dataDir }: SeedPlaces,
): Promise<SeededAgents> => {
  await owner.ask('stepUp', { body: { password } });
  const support = await ensureWorkspace(owner, 'Support');
  const finance = await ensureWorkspace(owner, 'Finance');
  const production = await ensureEnvironment(owner, { workspace_id: support.id, name: 'Production', type: 'PRODUCTION' });
  const staging = await ensureEnvironment(owner, { workspace_id: support.id, name: 'Staging', type: 'STAGING' });
  const books = await ensureEnvironment(owner, { workspace_id: finance.id, name: 'Production', type: 'PRODUCTION' });
  if (staging.mode !== 'SIMULATE') {
    const body = { mode: 'SIMULATE', reason: 'Staging only tries things out' } as const;
    await owner.ask('setGatewayMode', { params: { environmentId: staging.id }, body });
  }
  const capabilities = [...Object.values(CAPABILITIES), TICKET_SERVER.name, SHIPPING_PARTNER.name];
  const refunds = await ensureAgent(owner, production, { name: 'refund-bot', capabilities, public_key: agents.refunds.publicKey });
  const reports = await ensureAgent(owner, books, {
    name: 'report-bot',
    capabilities: ['reports.publish'],
    public_key: agents.reports.publicKey,
  });
  await ensureTool(owner, refundTool(production.id, sandboxOrigin, '/refunds'), refunds.id);
  await ensureTool(owner, readTool(production.id), refunds.id);
  const url = `${sandboxOrigin}${TICKET_SERVER_PATH}`;
  await ensureMcpServer(owner, production, { name: TICKET_SERVER.server, url, tool: TICKET_SERVER.tool, agentId: refunds.id });
  await ensureA2aConnection(owner, production, 'Partner agent');
  await ensureInboundConnection(owner, production, refunds.id);
  await ensureVerifiedConnection(owner, production, {
    ...{ name: SHIPPING_PARTNER.connection, card_url: sandboxOrigin + PARTNER_CARD_PATH },
    ...{ key: readPartnerJwk(dataDir), agentId: refunds.id },
  });
  const report = { name: 'report.publish', kind: 'SDK', required_capability: 'reports.publish', environment_id: books.id } as const;
  const { id: toolId } = await ensureTool(owner, report, reports.id);
  // Published reports leave the organization, so their parameters are searched for secrets.
  await owner.ask('declareToolFlow', { params: { toolId }, body: { reach: 'PUBLIC', reason: 'Reports are published' } });
  const inSupport = { scope: 'WORKSPACE', id: support.id } as const;
  const inFinance = { scope: 'WORKSPACE', id: finance.id } as const;
  await ensurePolicy(owner, { name: 'Refunds', rules: patientRules, tests: POLICY_TESTS, binding: inSupport });
  await ensurePolicy(owner, { name: 'Reports', rules: reportRules, tests: reportTests, binding: inFinance });
  await ensurePolicy(owner, { name: 'Help desk', rules: ticketRules, tests: ticketTests, binding: inSupport });
  return { refunds, reports };
};
