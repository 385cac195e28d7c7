import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { ToolDeclaration } from '@svc/contract/tools/tools.ts';
import type { ControlPlane } from '../control-plane.ts';
import { CAPABILITIES, KNOWLEDGE_SERVER } from '../demo-tools.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import { ensureAgent, ensureTool } from './ensure.ts';
import type { SeededAgents } from './seed-organization.ts';

/** The agents whose keys only the seed uses. */
export type Fleet = { readonly triage: Agent; readonly billing: Agent; readonly exports: Agent; readonly payouts: Agent };

const EXPORT = { tool: 'customer.export', capability: 'customers.export' } as const;
/** No policy permits this tool, so its requests are refused. */
export const EXPORT_TOOL = EXPORT.tool;

const exportTool = (environment_id: string): ToolDeclaration => ({
  name: EXPORT.tool,
  environment_id,
  required_capability: EXPORT.capability,
  kind: 'SDK',
  risk_rating: 'HIGH',
});

const allow = async (owner: ControlPlane, name: string, environmentId: string, agents: readonly Agent[]): Promise<void> => {
  const { items } = await owner.ask('listTools', { query: { q: name, limit: 200 } });
  const tool = items.find((each) => each.name === name && each.environment_id === environmentId);
  for (const { id } of agents) {
    if (tool === undefined || tool.authorized_agent_ids.includes(id)) continue;
    await owner.ask('authorizeAgentForTool', { params: { toolId: tool.id }, body: { agent_id: id } });
  }
};

/** Four more agents of the support workspace, with the tools that they use. */
export const seedFleet = async (owner: ControlPlane, { agents }: DemoCredentials, { refunds }: SeededAgents): Promise<Fleet> => {
  const { environment_id, workspace_id } = refunds;
  const place = { id: environment_id, workspace_id };
  const register = (name: string, key: keyof Fleet, capabilities: string[]): Promise<Agent> =>
    ensureAgent(owner, place, { name, capabilities, public_key: agents[key].publicKey });
  const triage = await register('triage-bot', 'triage', [CAPABILITIES.read, KNOWLEDGE_SERVER.name]);
  const billing = await register('billing-bot', 'billing', [CAPABILITIES.refund, CAPABILITIES.read]);
  const exports = await register('export-bot', 'exports', [EXPORT.capability]);
  const payouts = await register('payout-bot', 'payouts', [CAPABILITIES.refund]);
  await ensureTool(owner, exportTool(environment_id), exports.id);
  await allow(owner, 'refund.create', environment_id, [billing, payouts]);
  await allow(owner, 'customer.read', environment_id, [triage, billing]);
  return { triage, billing, exports, payouts };
};

/** Pauses one agent and isolates another, as after an incident. Call it after they have acted. */
export const stopSome = async (owner: ControlPlane, { exports, payouts }: Fleet): Promise<void> => {
  const readStatus = async (agentId: string) => (await owner.ask('getAgent', { params: { agentId } })).status;
  if ((await readStatus(exports.id)) === 'ACTIVE')
    await owner.ask('pauseAgent', { params: { agentId: exports.id }, body: { reason: 'Refused requests are being looked into' } });
  if ((await readStatus(payouts.id)) === 'ACTIVE')
    await owner.ask('isolateAgent', { params: { agentId: payouts.id }, body: { reason: 'Asked for refunds far above the limit' } });
};
