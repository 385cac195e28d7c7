import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isFinalTaskState } from '@svc/domain/peers/a2a/push-target.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, type KeptRefusal, keep } from '@svc/postgres/change/change.ts';
import { deletePushConfig, findTaskOwner, lockPushConfig, notePush, readPushGate } from '@svc/postgres/peers/a2a/a2a-push-configs.ts';
import { updatePushTarget } from '@svc/postgres/peers/a2a/a2a-push-targets.ts';
import { keepA2aTask } from '@svc/postgres/peers/a2a/a2a-tasks.ts';

/** A notification of a remote agent as it arrived. */
export type A2aNotification = {
  readonly organizationId: string;
  readonly connectionId: string;
  /** Digest of the token that came with it. */
  readonly tokenHash: string;
  readonly taskId: string;
  readonly state: string | undefined;
  readonly contextId: string | undefined;
  /** Digest of the whole notification. */
  readonly digest: string;
  readonly now: Date;
};

type Refused = Refusal<'UNAUTHENTICATED' | 'A2A_CONNECTION_BLOCKED' | 'AGENT_NOT_OPERATIONAL' | 'CONFLICT'>;

const UNKNOWN = 'The token is not one for this task and this connection, or it has ended.';
const STOPPED = 'The agent of this task may not use the connection now.';
const REPEATED = 'This notification was received before.';
const FULL = `A token is accepted for at most ${LIMITS.a2a.notificationsPerTokenMax} notifications. Follow or read the task instead.`;
const ENDED = 'The task has ended, and does not change its state any more.';

/**
 * Records a notification about a task. Its token proves the connection, the agent and the task. A refusal of a connection that is not in use
 * ends the token, and is recorded once.
 */
export const receiveA2aNotification = async (
  { tx, emit }: Change<EmittedBy<Endpoints['receiveA2aNotification']>>,
  { organizationId, connectionId, tokenHash, taskId, state, contextId, digest, now }: A2aNotification,
): Promise<Refused | KeptRefusal<Refused> | { readonly received_at: string }> => {
  const config = await lockPushConfig(tx, organizationId, connectionId, tokenHash);
  if (config === undefined || now.getTime() - new Date(config.created_at).getTime() > LIMITS.a2a.taskKeptMs)
    return buildRefusal('UNAUTHENTICATED', UNKNOWN);
  const { agent_id, action_id, workspace_id, environment_id } = config;
  const key = { organizationId, connectionId, agentId: agent_id };
  const owner = await findTaskOwner(tx, organizationId, connectionId, taskId);
  if ((config.task_id ?? taskId) !== taskId || (owner !== undefined && owner.agent_id !== agent_id))
    return buildRefusal('UNAUTHENTICATED', UNKNOWN);
  const gate = await readPushGate(tx, key);
  if (gate === undefined) return buildRefusal('UNAUTHENTICATED', UNKNOWN);
  const connection = about.a2a_connection({ id: connectionId, workspace_id, environment_id });
  const data = { agent_id, connection_id: connectionId, method: 'PushNotification', task_id: taskId, state: state ?? null, action_id };
  if (gate.status !== 'VERIFIED') {
    await deletePushConfig(tx, key, config.id);
    emit('a2a.interaction_blocked', { ...connection, data: { ...data, code: 'A2A_CONNECTION_BLOCKED' } });
    return keep(buildRefusal('A2A_CONNECTION_BLOCKED', 'The connection to the remote agent is not in use.'));
  }
  if (gate.agent_status !== 'ACTIVE' || !gate.is_authorized) return buildRefusal('AGENT_NOT_OPERATIONAL', STOPPED);
  if (config.seen.includes(digest)) return buildRefusal('CONFLICT', REPEATED);
  if (config.seen.length >= LIMITS.a2a.notificationsPerTokenMax) return buildRefusal('CONFLICT', FULL);
  if (isFinalTaskState(owner?.state ?? null) && state !== undefined && state !== owner?.state) return buildRefusal('CONFLICT', ENDED);
  await notePush(tx, config, taskId, digest);
  // The partner of an inbound connection is notified of the same state.
  if (config.sealed_target !== null && state !== undefined && state !== config.told_state)
    await updatePushTarget(tx, config, { told_state: state, due_at: now, attempts: 0 });
  const task = {
    ...{ organization_id: organizationId, workspace_id, environment_id, connection_id: connectionId, task_id: taskId, agent_id, action_id },
    ...{ state: state ?? null, context_id: contextId ?? null, approval_id: null, created_at: now, updated_at: now },
  };
  await keepA2aTask(tx, task, new Date(now.getTime() - LIMITS.a2a.taskKeptMs));
  emit('a2a.interaction_allowed', { ...connection, data: { ...data, code: null } });
  return { received_at: now.toISOString() };
};
