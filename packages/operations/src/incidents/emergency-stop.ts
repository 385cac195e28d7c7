import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { agentTransition } from '@svc/domain/agents/agents/lifecycle.ts';
import { lockAgent, updateAgentRow } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type ChangeContext, change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { lockEnvironment, updateEnvironment } from '@svc/postgres/tenancy/environments.ts';

/** What came of it: the state it is in now, or that there is none of that id in the organization. */
export type Stopped = 'PAUSED' | 'PAUSED_BEFORE' | 'SUSPENDED' | 'NOT_FOUND' | { readonly left_as_it_was: string };

/** How the events tell that nobody signed in for this. */
const BREAK_GLASS = { break_glass: true } as const;

/** Pauses an environment for the operator of the machine. The trigger moves its epoch, so every gateway obeys from the commit on. */
export const pauseInEmergency = (database: Database, context: ChangeContext, environmentId: string, reason: string): Promise<Stopped> =>
  change<'environment.paused', Stopped>(database, context, async ({ tx, emit }) => {
    const { organization_id } = context.scope;
    const before = await lockEnvironment(tx, organization_id, environmentId);
    if (!before) return 'NOT_FOUND';
    if (before.paused) return 'PAUSED_BEFORE';
    await updateEnvironment(tx, organization_id, before.id, { paused_at: context.now, paused_reason: reason }, context.now);
    emit('environment.paused', {
      ...about.environment(before),
      data: { before: { paused: false }, after: { paused: true }, reason, ...BREAK_GLASS },
    });
    return 'PAUSED';
  });

/** Suspends an agent and ends its sessions. One that is out of operation for good stays what it is. */
export const suspendInEmergency = (database: Database, context: ChangeContext, agentId: string, reason: string): Promise<Stopped> =>
  change<'agent.suspended', Stopped>(database, context, async ({ tx, emit }) => {
    const { organization_id } = context.scope;
    const agent = await lockAgent(tx, organization_id, agentId);
    if (!agent) return 'NOT_FOUND';
    const transition = agentTransition('suspend', agent.status);
    if (isRefusal(transition)) return { left_as_it_was: agent.status };
    const { to, killsSessions } = transition;
    await updateAgentRow(tx, organization_id, agentId, { status: to, killsSessions }, context.now);
    emit('agent.suspended', {
      ...about.agent(agent),
      severity: 'critical',
      data: { before: { status: agent.status }, after: { status: to }, reason, ...BREAK_GLASS },
    });
    return 'SUSPENDED';
  });
