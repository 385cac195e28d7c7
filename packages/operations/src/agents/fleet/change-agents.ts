import type { BulkOperation, BulkResult } from '@svc/contract/agents/fleet/bulk.ts';
import { BECOMES, judgeStep, type MayLift } from '@svc/domain/agents/fleet/judge-step.ts';
import type { LockedAgent } from '@svc/postgres/agents/agents/agents.ts';
import { holdEpochs, lockAgents, moveAgents } from '@svc/postgres/agents/fleet/lock-agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { EventActor } from '@svc/postgres/audit/emitted-event.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { type AgentEndEvent, type EndingOfMany, endAgents } from '../agents/end-agents.ts';
import { withdrawAgentApprovals } from '../agents/withdraw-agent-approvals.ts';
import { liftStopsByPerson, recordStops } from '../stops-by-people.ts';

const TOLD = { pause: 'agent.paused', resume: 'agent.resumed', suspend: 'agent.suspended' } as const;

export type BulkEvent = AgentEndEvent | (typeof TOLD)[keyof typeof TOLD];

export type StepOfMany = EndingOfMany & {
  readonly operation: BulkOperation;
  readonly mayLift: MayLift;
  /** A person: the operation needs a step-up. */
  readonly by: Pick<EventActor, 'type' | 'id'>;
};

const move = async (change: Change<BulkEvent>, agents: readonly LockedAgent[], step: StepOfMany & { operation: keyof typeof TOLD }) => {
  const { tx, emit } = change;
  const { scope, operation, reason, now } = step;
  const { organization_id } = scope;
  const ids = agents.map(({ id }) => id);
  const status = BECOMES[operation];
  await inWholeOrganization(tx, scope, () => holdEpochs(tx, organization_id, ids));
  await moveAgents(tx, organization_id, ids, { status, killsSessions: operation === 'suspend' }, now);
  if (operation === 'resume') await liftStopsByPerson(tx, organization_id, ids, 'STATUS');
  else
    await recordStops(
      tx,
      organization_id,
      ids.map((id) => ({ subject_id: id, stop: 'STATUS' })),
      step,
    );
  for (const agent of agents) {
    const states = { before: { status: agent.status }, after: { status } };
    emit(TOLD[operation], { ...about.agent(agent), data: { ...states, reason } });
  }
  const restricted = operation === 'resume' ? agents.filter((agent) => agent.status !== 'PAUSED') : [];
  if (restricted.length === 0) return;
  await withdrawAgentApprovals(
    change,
    restricted.map(({ id }) => id),
    step,
  );
};

/** Applies one batch of a bulk operation in one change: each agent changes completely or not at all. Returns the results. */
export const changeAgents = async (change: Change<BulkEvent>, agentIds: readonly string[], step: StepOfMany): Promise<BulkResult[]> => {
  const { operation, mayLift, scope } = step;
  const locked = new Map((await lockAgents(change.tx, scope.organization_id, agentIds)).map((agent) => [agent.id, agent]));
  const judged = agentIds.map((agent_id) => ({
    agent_id,
    ...judgeStep(operation, locked.get(agent_id)?.status ?? null, mayLift),
  }));
  const moving = judged.flatMap(({ agent_id, outcome }) => (outcome === 'CHANGED' ? [locked.get(agent_id) ?? []].flat() : []));
  if (moving.length === 0) return judged;
  if (operation === 'revoke') await endAgents(change, moving, step);
  else await move(change, moving, { ...step, operation });
  return judged;
};
