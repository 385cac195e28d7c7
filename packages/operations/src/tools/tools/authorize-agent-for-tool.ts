import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { refuseFinalStatus } from '@svc/domain/agents/agents/final-status.ts';
import { isDamaging } from '@svc/domain/tools/declaration/loosens-declaration.ts';
import { isTakenOver, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { authorizeAgent, findTool } from '@svc/postgres/tools/tools.ts';
import { withdrawOwnVotes } from '../../agents/agents/withdraw-own-votes.ts';
import { liftStop } from '../../agents/stops-by-people.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';

type AuthorizeAgentForToolRequest = CallContext & {
  readonly toolId: string;
  readonly body: EndpointBody<Endpoints['authorizeAgentForTool']>;
  readonly steppedUpUntil: string | null;
};

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
 * Authorizes an agent for a tool, which is needed in addition to the capability. Replacing the key of an agent with a damaging tool needs
 * re-authentication, so authorizing one does too.
 */
export const authorizeAgentForTool = async (
  change: Change<EmittedBy<Endpoints['authorizeAgentForTool']>>,
  request: AuthorizeAgentForToolRequest,
) => {
  const { tx, emit } = change;
  const { organization_id } = request.scope;
  const tool = await findTool(tx, organization_id, request.toolId);
  if (!tool) return buildRefusal('NOT_FOUND');
  const agent = await lockAgent(tx, organization_id, request.body.agent_id);
  if (!agent) return buildRefusal('NOT_FOUND', 'The agent does not exist.');
  if (agent.environment_id !== tool.environment_id)
    return refuseBody('/agent_id', 'The agent and the tool must be in the same environment.');
  const over = refuseFinalStatus('authorize', agent.status);
  if (over) return over;
  const unproved = isDamaging(tool) && !hasFreshStepUp(request, request.now);
  if (unproved && (await isTakenOver(tx, organization_id, agent))) return stepUpRefusal(request, TAKEN_OVER);
  if (unproved && (await isProduction(tx, organization_id, tool.environment_id))) return stepUpRefusal(request, PRODUCTION);
  if (tool.authorized_agent_ids.length >= agentsPerToolMax && !tool.authorized_agent_ids.includes(agent.id))
    return buildRefusal('UNPROCESSABLE', FULL, { most: agentsPerToolMax });
  const row = { organization_id, tool_id: tool.id, agent_id: agent.id, authorized_by: request.actor.id, authorized_at: request.now };
  if (!(await authorizeAgent(tx, row))) return buildRefusal('ALREADY_EXISTS', 'The agent is already authorized for this tool.');
  const stop = { subject_id: tool.id, stop: `agent ${agent.id}` } as const;
  // After the row is written: a concurrent withdrawal by a person is waited for.
  const stopped = await liftStop(tx, organization_id, stop, request.actor);
  if (stopped) return stopped;
  emit('tool.updated', {
    ...about.tool({ ...tool, workspace_id: agent.workspace_id }),
    data: { name: tool.name, authorized: agent.id },
  });
  await withdrawOwnVotes(change, { scope: request.scope, agentId: agent.id, by: request.actor, now: request.now }, 'authorized');
  return (await findTool(tx, organization_id, tool.id)) ?? buildRefusal('NOT_FOUND');
};
