import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import type { AgentSnapshot, EnvironmentSnapshot, ToolSnapshot } from '@svc/enforcement/snapshots.ts';
import type { Handler } from '@svc/http/call.ts';
import { listGrants } from '@svc/postgres/agent-capabilities.ts';
import { loadAgent } from '@svc/postgres/governance/load-agent.ts';
import { loadEnvironment } from '@svc/postgres/governance/load-environment.ts';
import { inTenant } from '@svc/postgres/in-tenant.ts';
import { resourcesExist } from '@svc/postgres/resource-exists.ts';
import type { ControlDeps } from '../deps.ts';

/** The code that stage 4 of the pipeline would answer for this tool. */
const codeOf = (agent: AgentSnapshot, tool: ToolSnapshot): string | null => {
  if (tool.status === 'DISABLED') return 'TOOL_DISABLED';
  if (!agent.capabilities.has(tool.required_capability)) return 'CAPABILITY_NOT_GRANTED';
  return agent.tool_ids.has(tool.id) ? null : 'TOOL_NOT_AUTHORIZED';
};

const toolsOf = (agent: AgentSnapshot, environment: EnvironmentSnapshot) =>
  [...new Set(environment.tools.values())].map((tool) => {
    const code = codeOf(agent, tool);
    const { id, name, kind, required_capability } = tool;
    return { tool_id: id, name, kind, required_capability, usable: code === null, code };
  });

/** What the agent may do, and on which grant each part of it rests. */
export const getAgentAuthority: Handler<Endpoints['getAgentAuthority'], ControlDeps> = async (call) => {
  const { organization_id } = call.scope;
  const { agentId } = call.params;
  if (!(await resourcesExist(call.database, call.scope, { agentId }))) return call.refuse('NOT_FOUND');
  const agent = await loadAgent(call.database, organization_id, agentId);
  const environment = agent && (await loadEnvironment(call.database, organization_id, agent.environment_id));
  if (!environment || isRefusal(environment)) return call.refuse('NOT_FOUND');
  const grants = await inTenant(call.database, call.scope, (tx) => listGrants(tx, organization_id, agentId));
  return {
    agent_id: agentId,
    capabilities: grants.map((grant) => ({ ...grant, source: 'GRANT' })),
    tools: toolsOf(agent, environment),
    delegations: [],
  };
};
