import type { Endpoints } from '@svc/contract/endpoints.ts';
import { askTool } from '@svc/enforcement/ask-tool.ts';
import type { Handler } from '@svc/http/call.ts';
import { listGrants } from '@svc/postgres/agent-capabilities.ts';
import { loadAgent } from '@svc/postgres/governance/load-agent.ts';
import { loadEnvironment } from '@svc/postgres/governance/load-environment.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import { resourcesExist } from '@svc/postgres/resource-exists.ts';
import type { ControlDeps } from '../deps.ts';

/** What the agent may do, and on which grant each part of it rests; of every tool what the pipeline itself would say. */
export const getAgentAuthority: Handler<Endpoints['getAgentAuthority'], ControlDeps> = async (call, deps) => {
  const { organization_id } = call.scope;
  const { agentId } = call.params;
  if (!(await resourcesExist(call.database, call.scope, { agentId }))) return call.refuse('NOT_FOUND');
  const agent = await loadAgent(call.database, organization_id, agentId);
  const environment = agent && (await loadEnvironment(call.database, organization_id, agent.environment_id));
  if (!environment) return call.refuse('NOT_FOUND');
  const grants = await readInTenant(call.database, call.scope, (tx) => listGrants(tx, organization_id, agentId));
  const tools = [...new Set(environment.tools.values())].map(({ id, name, kind, required_capability }) => {
    const code = askTool({ agent, environment, now: call.now, sha256: deps.pipeline.sha256 }, id);
    return { tool_id: id, name, kind, required_capability, usable: code === null, code };
  });
  return { agent_id: agentId, capabilities: grants.map((grant) => ({ ...grant, source: 'GRANT' })), tools, delegations: [] };
};
