import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { isFinalTaskState, type PushTarget } from '@svc/domain/peers/a2a/push-target.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressRequest } from '@svc/egress/requests/egress-request.ts';
import { openPushTarget } from '@svc/keyring/sealed/push-target.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findApprovalStatus } from '@svc/postgres/peers/a2a/a2a-held-approvals.ts';
import { type A2aPushConfigRow, type PushGate, readPushGate } from '@svc/postgres/peers/a2a/a2a-push-configs.ts';
import {
  deletePushTarget,
  findTaskContext,
  lockPushTarget,
  type PushConfigKey,
  updatePushTarget,
} from '@svc/postgres/peers/a2a/a2a-push-targets.ts';

type Emitted = ClockEvent<'send-a2a-notifications'>;

/** Runs work in a transaction of its own, with its events. */
export type RunNotifyingChange = <Result>(work: (change: Change<Emitted>) => Promise<Result>) => Promise<Result>;

export type NotifyDeps = { readonly egress: Egress; readonly sealingKey: KeyObject; readonly clock: () => Date };

const { pushAttemptsMax, pushRetryMs, pushRetryMsMax, pushLeaseMs, pushApprovalMs } = LIMITS.a2a;

type Begun = { readonly config: A2aPushConfigRow; readonly state: string; readonly attempt: number; readonly request: EgressRequest };

/** Returns why the partner may not be notified; undefined if it may. */
const findStop = (gate: PushGate | undefined): 'A2A_CONNECTION_BLOCKED' | 'AGENT_NOT_OPERATIONAL' | undefined => {
  if (gate?.status !== 'VERIFIED' || gate.direction !== 'INBOUND') return 'A2A_CONNECTION_BLOCKED';
  return gate.agent_status === 'ACTIVE' && gate.is_authorized ? undefined : 'AGENT_NOT_OPERATIONAL';
};

/** The state to notify of. Undefined while the message still waits for its approval. */
const readState = async (tx: TenantTransaction, config: A2aPushConfigRow, now: Date): Promise<string | null | undefined> => {
  if (config.approval_id === null) return config.told_state;
  const status = await findApprovalStatus(tx, config.organization_id, config.approval_id, now);
  if (status === 'PENDING') return undefined;
  return status === 'APPROVED' || status === 'CONSUMED' ? 'TASK_STATE_SUBMITTED' : 'TASK_STATE_REJECTED';
};

const getHeaders = ({ token, authentication }: PushTarget): Readonly<Record<string, string>> => ({
  'content-type': 'application/a2a+json',
  'a2a-version': '1.0',
  ...(token === undefined ? {} : { 'x-a2a-notification-token': token }),
  ...(authentication === undefined ? {} : { authorization: `${authentication.scheme} ${authentication.credentials}` }),
});

type Notification = { readonly taskId: string; readonly contextId: string | null; readonly state: string };

/** The notification has the state alone: the content of the task is read with GetTask, which is decided. */
const buildRequest = (target: PushTarget, tenant: string, { taskId, contextId, state }: Notification, now: Date): EgressRequest => ({
  ...{ method: 'POST', url: target.url, headers: getHeaders(target), tenant },
  body: JSON.stringify({
    statusUpdate: { taskId, ...(contextId === null ? {} : { contextId }), status: { state, timestamp: now.toISOString() } },
  }),
  isConfidential: target.token !== undefined || target.authentication !== undefined,
});

const describe = ({ agent_id, connection_id, told_task_id, action_id }: A2aPushConfigRow, state: string | null) => ({
  ...{ agent_id, connection_id, method: 'PushNotification', task_id: told_task_id, state, action_id },
});

/** Records a notification before it is sent, under a lease. Undefined if none is due; a partner that may not be notified loses its push config. */
const begin = async ({ tx, emit }: Change<Emitted>, key: PushConfigKey, { sealingKey, clock }: NotifyDeps): Promise<Begun | undefined> => {
  const now = clock();
  const config = await lockPushTarget(tx, key);
  if (config === undefined || config.sealed_target === null || config.due_at === null || Date.parse(config.due_at) > now.getTime())
    return undefined;
  const { organization_id, workspace_id, environment_id, connection_id, agent_id, told_task_id } = config;
  const connection = about.a2a_connection({ id: connection_id, workspace_id, environment_id });
  const state = await readState(tx, config, now);
  if (state === undefined) {
    await updatePushTarget(tx, key, { due_at: new Date(now.getTime() + pushApprovalMs) });
    return undefined;
  }
  const code = findStop(await readPushGate(tx, { organizationId: organization_id, connectionId: connection_id, agentId: agent_id }));
  if (code !== undefined || state === null || told_task_id === null) {
    await deletePushTarget(tx, key);
    emit('a2a.interaction_blocked', { ...connection, data: { ...describe(config, state), code: code ?? 'A2A_CONNECTION_BLOCKED' } });
    return undefined;
  }
  const attempt = config.attempts + 1;
  await updatePushTarget(tx, key, { told_state: state, attempts: attempt, due_at: new Date(now.getTime() + pushLeaseMs) });
  if (attempt === 1) emit('a2a.interaction_allowed', { ...connection, data: { ...describe(config, state), code: null } });
  const notification = { taskId: told_task_id, contextId: await findTaskContext(tx, key, told_task_id), state };
  const target = openPushTarget(sealingKey, config.sealed_target, config);
  return { config, state, attempt, request: buildRequest(target, organization_id, notification, now) };
};

const retryAt = (attempt: number, now: Date): Date => new Date(now.getTime() + Math.min(pushRetryMs * 2 ** (attempt - 1), pushRetryMsMax));

/** Records whether the notification arrived. A state that changed meanwhile is due already. */
const settle = async ({ tx, emit }: Change<Emitted>, { config, state, attempt }: Begun, arrived: boolean, now: Date): Promise<void> => {
  const current = await lockPushTarget(tx, config);
  if (current === undefined || current.attempts !== attempt || current.told_state !== state) return;
  if (arrived) {
    if (isFinalTaskState(state)) await deletePushTarget(tx, config);
    else await updatePushTarget(tx, config, { due_at: null, attempts: 0 });
    return;
  }
  if (attempt < pushAttemptsMax) return updatePushTarget(tx, config, { due_at: retryAt(attempt, now) });
  await deletePushTarget(tx, config);
  const { connection_id, workspace_id, environment_id } = config;
  const connection = about.a2a_connection({ id: connection_id, workspace_id, environment_id });
  emit('a2a.interaction_blocked', { ...connection, data: { ...describe(config, state), code: 'EXECUTION_FAILED' } });
};

/** Notifies a partner of the state of a task: recorded before it is sent, and repeated with growing waits until it arrived. */
export const notifyPartner = async (changing: RunNotifyingChange, key: PushConfigKey, deps: NotifyDeps): Promise<void> => {
  const begun = await changing((change) => begin(change, key, deps));
  if (begun === undefined) return;
  const { request } = begun;
  const result = deps.egress.disabledFor({ url: request.url }) === undefined ? await deps.egress.call(request) : undefined;
  if (result?.kind === 'answered_large') result.large?.release();
  const arrived = (result?.kind === 'answered' || result?.kind === 'answered_large') && result.status >= 200 && result.status < 300;
  await changing((change) => settle(change, begun, arrived, deps.clock()));
};
