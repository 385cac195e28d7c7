import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { finalStatusRefusal } from '@svc/domain/agents/agents/final-status.ts';
import { isDamaging } from '@svc/domain/tools/declaration/loosens-declaration.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/http/admission/authorize.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { withdrawOwnVotes } from '@svc/operations/agents/agents/withdraw-own-votes.ts';
import { liftStop } from '@svc/operations/agents/stops-by-people.ts';
import { isTakenOver, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { authorizeAgent, findTool } from '@svc/postgres/tools/tools.ts';
import type { ControlDeps } from '../../deps.ts';

const { agentsPerToolMax } = LIMITS.tools;
const FULL = `At most ${agentsPerToolMax} agents are authorized for one tool. Withdraw those that need it no longer, or register it a second time for others.`;
const TAKEN_OVER =
  'The key of the agent was replaced without a recent step-up, and the tool is dangerous. Re-authenticate to confirm the agent, or replace its key again.';

const PRODUCTION =
  'This tool is dangerous or critical and its environment is of type PRODUCTION: a person steps up to authorize an agent for it.';

/** True also for an environment that cannot be read. */
const isProduction = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<boolean> => {
  const environment = await findEnvironment(tx, organizationId, environmentId);
  return environment === undefined || environment.type === 'PRODUCTION';
};

/**
 * Apart from holding the capability: an agent uses a tool only when it is named for it. As its key is not replaced without a proof where it holds
 * a tool that does damage, it is not given one after that either.
 */
export const authorizeAgentForTool: Handler<Endpoints['authorizeAgentForTool'], ControlDeps> = (call) =>
  call.change(async (change) => {
    const { tx, emit } = change;
    const { organization_id } = call.scope;
    const tool = await findTool(tx, organization_id, call.params.toolId);
    if (!tool) return call.refuse('NOT_FOUND');
    const agent = await lockAgent(tx, organization_id, call.body.agent_id);
    if (!agent) return call.refuse('NOT_FOUND', 'There is no such agent.');
    if (agent.environment_id !== tool.environment_id)
      return call.fault('/agent_id', 'The agent and the tool must be in the same environment.');
    const over = finalStatusRefusal('authorize', agent.status);
    if (over) return over;
    const unproved = isDamaging(tool) && !hasFreshStepUp(call.caller, call.now);
    if (unproved && (await isTakenOver(tx, organization_id, agent))) return stepUpRefusal(call.caller, TAKEN_OVER);
    if (unproved && (await isProduction(tx, organization_id, tool.environment_id))) return stepUpRefusal(call.caller, PRODUCTION);
    if (tool.authorized_agent_ids.length >= agentsPerToolMax && !tool.authorized_agent_ids.includes(agent.id))
      return call.refuse('UNPROCESSABLE', FULL, { most: agentsPerToolMax });
    const row = { organization_id, tool_id: tool.id, agent_id: agent.id, authorized_by: call.caller.actor.id, authorized_at: call.now };
    if (!(await authorizeAgent(tx, row))) return call.refuse('ALREADY_EXISTS', 'The agent is already authorized for this tool.');
    const stop = { subject_id: tool.id, stop: `agent ${agent.id}` } as const;
    // After the row is written: a person who withdraws the agent at the same moment is waited for.
    const stopped = await liftStop(tx, organization_id, stop, call.caller.actor);
    if (stopped) return stopped;
    emit('tool.updated', {
      ...about.tool({ ...tool, workspace_id: agent.workspace_id }),
      data: { name: tool.name, authorized: agent.id },
    });
    await withdrawOwnVotes(change, { scope: call.scope, agentId: agent.id, by: call.caller.actor, now: call.now }, 'authorized');
    return (await findTool(tx, organization_id, tool.id)) ?? call.refuse('NOT_FOUND');
  });
