import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { AgentsDeps } from '../deps.ts';

const NOTHING_REPORTS =
  'No runtime reports on this agent, so actions that bypass the service are unknown. Requested actions are decided, recorded and enforced in the current mode.';

/** Computed from what runtimes report. None does in this version, which is said rather than taken for enforcement. */
export const getAgentEnforcement: Handler<Endpoints['getAgentEnforcement'], AgentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const agent = await findAgent(tx, organization_id, call.params.agentId);
    const environment = agent && (await findEnvironment(tx, organization_id, agent.environment_id));
    if (!agent || !environment) return call.refuse('NOT_FOUND');
    const checked_at = call.now.toISOString();
    return { agent_id: agent.id, status: 'UNKNOWN', detail: NOTHING_REPORTS, mode: environment.mode, runtimes: [], checked_at };
  });
