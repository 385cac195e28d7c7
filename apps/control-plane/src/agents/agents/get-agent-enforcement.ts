import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { weakest } from '@svc/domain/runtimes/runtimes/enforcement-order.ts';
import { enforcementAt, refuseByRuntime } from '@svc/domain/runtimes/runtimes/runtime-standing.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { runtimesOfAgent } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { AgentsDeps } from '../deps.ts';

const NO_RUNTIME =
  'The agent has no runtime, so actions that bypass the service are unknown. Requested actions are decided, recorded and enforced in the current mode.';
const COMPUTED = 'Computed from the evidence of its runtimes. The weakest runtime decides.';

/** Computed on request from the evidence of the runtimes that the agent runs in. */
export const getAgentEnforcement: Handler<Endpoints['getAgentEnforcement'], AgentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const agent = await findAgent(tx, organization_id, call.params.agentId);
    const environment = agent && (await findEnvironment(tx, organization_id, agent.environment_id));
    if (!agent || !environment) return call.refuse('NOT_FOUND');
    const rows = await runtimesOfAgent(tx, organization_id, agent.id, LIMITS.runtimes.perAgentMax);
    const runtimes = rows.map((row) => ({
      runtime_id: row.id,
      name: row.name,
      kind: row.kind,
      runtime_status: row.status,
      status: enforcementAt(row, call.now),
      assessed_at: row.assessed_at,
      reasons: row.enforcement_reasons.map(({ why }) => why),
      refuses: refuseByRuntime(row, call.now) !== undefined,
    }));
    const status = weakest(runtimes.map((each) => each.status)) ?? 'UNKNOWN';
    const detail = runtimes.length === 0 ? NO_RUNTIME : COMPUTED;
    return { agent_id: agent.id, status, detail, mode: environment.mode, runtimes, checked_at: call.now.toISOString() };
  });
