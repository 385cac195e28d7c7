import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isFinal } from '@svc/domain/agents/agents/final-status.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

/** Returns the passport. It can be verified offline, so none is issued once its agent has ended. */
export const getAgentPassport: Handler<Endpoints['getAgentPassport'], AgentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const agent = await findAgent(tx, organization_id, call.params.agentId);
    if (!agent) return call.refuse('NOT_FOUND');
    if (isFinal(agent.status)) return call.refuse('GONE', `The agent is ${agent.status}, and its passport with it.`);
    return (await findCurrentPassport(tx, organization_id, agent.id)) ?? call.refuse('NOT_FOUND');
  });
