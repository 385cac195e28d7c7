import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { type AgentOperation, getAgentTransition, type Restriction } from '@svc/domain/agents/agents/lifecycle.ts';
import { findAgent, lockAgent, updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { EventActor } from '@svc/postgres/audit/emitted-event.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { recordStops } from '../stops-by-people.ts';

export type LifecycleChange = {
  readonly organizationId: string;
  readonly agentId: string;
  readonly operation: AgentOperation;
  readonly by: Pick<EventActor, 'type' | 'id'>;
  readonly now: Date;
};

export type ChangedAgent = { readonly agent: Agent; readonly from: AgentStatus };

/** Moves an agent along the state table. Calls `liftRefusal` if that lifts a restriction set by security. */
export const changeLifecycle = async <R extends Refusal = never>(
  tx: TenantTransaction,
  { organizationId, agentId, operation, by, now }: LifecycleChange,
  liftRefusal: (lifted: Restriction) => R | undefined = () => undefined,
): Promise<ChangedAgent | R | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const locked = await lockAgent(tx, organizationId, agentId);
  if (!locked) return buildRefusal('NOT_FOUND');
  const transition = getAgentTransition(operation, locked.status);
  if (isRefusal(transition)) return transition;
  const refused = transition.lifts ? liftRefusal(transition.lifts) : undefined;
  if (refused) return refused;
  if (transition.to !== 'ACTIVE') await recordStops(tx, organizationId, [{ subject_id: agentId, stop: 'STATUS' }], { by, now });
  await updateAgentRow(tx, organizationId, agentId, { status: transition.to, killsSessions: transition.killsSessions }, now);
  const agent = await findAgent(tx, organizationId, agentId);
  return agent ? { agent, from: locked.status } : buildRefusal('NOT_FOUND');
};

/** Builds the event data that every step of an agent's lifecycle has. */
export const buildLifecycleEvent = ({ agent, from }: ChangedAgent, reason: string | undefined) => ({
  ...about.agent(agent),
  data: { before: { status: from }, after: { status: agent.status }, ...(reason === undefined ? {} : { reason }) },
});
