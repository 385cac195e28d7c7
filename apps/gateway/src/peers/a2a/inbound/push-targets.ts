import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { buildNotificationsPath, PUSH_METHODS } from '@svc/domain/peers/a2a/push-notifications.ts';
import type { PushTarget } from '@svc/domain/peers/a2a/push-target.ts';
import { readHeldTaskId } from '@svc/peers/a2a/front/held-task.ts';
import { asksForPushes, takePushTarget } from '@svc/peers/a2a/front/read-push-target.ts';
import { A2A_CODES, type A2aMessage, a2aError, a2aResult } from '@svc/peers/a2a/front/read-request.ts';
import { readTaskFacts } from '@svc/peers/a2a/upstream/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findA2aConnection } from '@svc/postgres/peers/a2a/a2a-connections.ts';
import type { GatewayDeps } from '../../../deps.ts';
import type { Holding } from './held-message.ts';

/** A message without the address of the partner, and that address if it asked for push notifications; otherwise the error that answers it. */
type ReadPush = { readonly message: A2aMessage; readonly target: PushTarget | undefined } | { readonly refused: JsonObject };

type Place = { readonly organizationId: string; readonly connectionId: string };

const isMembers = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes the address of the partner out of a message. */
export const readPush = async (deps: GatewayDeps, message: A2aMessage, { organizationId, connectionId }: Place): Promise<ReadPush> => {
  if (!asksForPushes(message)) return { message, target: undefined };
  const connection = await readInTenant(deps.database, { organization_id: organizationId }, (tx) =>
    findA2aConnection(tx, organizationId, connectionId),
  );
  const refuse = (fault: string): ReadPush => ({ refused: a2aError(message.id, { code: A2A_CODES.invalidParams, message: fault }) });
  if (connection === undefined) return refuse('The connection was removed.');
  const gatewayUrl = deps.tokenScope.audience + buildNotificationsPath(connectionId);
  const taken = takePushTarget(message, { cardUrl: connection.card_url, gatewayUrl });
  return 'fault' in taken ? refuse(taken.fault) : taken;
};

const getScope = ({ caller, tool }: Holding) => ({
  tenant: caller.organizationId,
  agentId: caller.agentId,
  connection_id: tool.a2a.connection_id,
});

const addTarget = async (holding: Holding, result: JsonObject): Promise<string | undefined> => {
  const { target, deps, message } = holding;
  const isCreation = message.method === PUSH_METHODS.create;
  const task = isCreation ? { id: String(message.parameters.task_id), state: undefined } : readTaskFacts(result);
  if (target === undefined || task === undefined || readHeldTaskId(task.id) !== undefined) return undefined;
  return deps.a2aPushTargets.add(getScope(holding), { id: task.id, state: task.state ?? null }, target);
};

/** Stores the address of the partner with the task of the answer. */
export const keepPushTarget = async (holding: Holding, answered: JsonObject): Promise<JsonObject> => {
  const { target, message } = holding;
  const { result } = answered;
  if (target === undefined || !isMembers(result)) return answered;
  await addTarget(holding, result);
  return message.method === PUSH_METHODS.create ? a2aResult(message.id, { ...result, url: target.url }) : answered;
};

/** Moves the address of the partner from its held message to the task that the agent began for it. */
export const movePushTarget = async (holding: Holding, heldTaskId: string, result: JsonObject): Promise<void> => {
  const task = readTaskFacts(result);
  const told = task && { id: task.id, state: task.state ?? null };
  await holding.deps.a2aPushTargets.move(getScope(holding), heldTaskId, told);
};
