import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { type ChangeContext, change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { buildLifecycleEvent, changeLifecycle } from '../agents/agents/change-lifecycle.ts';
import { pauseEnvironment } from '../tenancy/environments/pause-environment.ts';

/** Result of an emergency stop: the new state, or that the organization has no such id. */
export type StoppedAgent = 'PAUSED' | 'PAUSED_BEFORE' | 'SUSPENDED' | 'NOT_FOUND' | { readonly left_as_it_was: string };

/** Marks events that no signed-in user caused. */
const BREAK_GLASS = { break_glass: true } as const;

/** Pauses an environment for the operator of the machine. */
export const pauseInEmergency = async (
  database: Database,
  context: ChangeContext,
  environmentId: string,
  reason: string,
): Promise<StoppedAgent> => {
  const { scope, now } = context;
  const pausing = { organizationId: scope.organization_id, environmentId, reason, now, more: BREAK_GLASS };
  const paused = await change(database, context, (each) => pauseEnvironment(each, pausing));
  if (!isRefusal(paused)) return 'PAUSED';
  return paused.refused === 'NOT_FOUND' ? 'NOT_FOUND' : 'PAUSED_BEFORE';
};

/** Suspends an agent and ends its sessions. An agent that ended permanently is unchanged. */
export const suspendInEmergency = async (
  database: Database,
  context: ChangeContext,
  agentId: string,
  reason: string,
): Promise<StoppedAgent> => {
  const { scope, actor: by, now } = context;
  const suspended = await change<'agent.suspended', Awaited<ReturnType<typeof changeLifecycle>>>(
    database,
    context,
    async ({ tx, emit }) => {
      const changed = await changeLifecycle(tx, { organizationId: scope.organization_id, agentId, operation: 'suspend', by, now });
      if (isRefusal(changed)) return changed;
      const { data, ...it } = buildLifecycleEvent(changed, reason);
      emit('agent.suspended', { ...it, severity: 'critical', data: { ...data, ...BREAK_GLASS } });
      return changed;
    },
  );
  if (!isRefusal(suspended)) return 'SUSPENDED';
  return suspended.refused === 'NOT_FOUND' ? 'NOT_FOUND' : { left_as_it_was: String(suspended.details?.from) };
};
