import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isPushMethod } from '@svc/domain/peers/a2a/push-notifications.ts';
import { loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { A2aAnswer } from '@svc/http/wires/a2a.ts';
import { textDigest } from '@svc/keyring/bytes/text-digest.ts';
import { readHeldTaskId } from '@svc/peers/a2a/front/held-task.ts';
import { asksForPushes } from '@svc/peers/a2a/front/read-push-target.ts';
import { A2A_CODES, type A2aMessage, a2aError, PUSH_NOT_SUPPORTED } from '@svc/peers/a2a/front/read-request.ts';
import { findPublishedAgent } from '../../../agents/agents/published/find-published-agent.ts';
import { findInboundTool } from '../../../agents/identity/callers/authenticate-peer.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { type A2aAnswerInput, answerInParts } from '../answering/answer-in-parts.ts';
import { type A2aCaller, decideMessage } from '../answering/decide-message.ts';
import { isErrorMessage, readMessage } from '../answering/read-message.ts';
import { findHeldMessage, type Holding, holdMessage, settleHeldMessage, streamHeldMessage } from './held-message.ts';
import { isConnectionVerified } from './is-connection-verified.ts';
import { keepPushTarget, readPush } from './push-targets.ts';

type CallAgent = Call<Endpoints['callAgent']>;

const NOT_FOUND = 'There is no such task of this connection.';
const HELD = 'The task waits for a person, who approves or denies it.';

const taskNotFound = ({ id }: A2aMessage): JsonObject => a2aError(id, { code: A2A_CODES.taskNotFound, message: NOT_FOUND });

/** Answers a request about the task of a held message. A request that would change it is refused: a person decides. */
const answerHeld = async (holding: Holding, approvalId: string): Promise<JsonObject> => {
  const { message } = holding;
  if (!(await isConnectionVerified(holding))) return blocked(message);
  const held = await findHeldMessage(holding, approvalId);
  if (held === undefined) return taskNotFound(message);
  if (message.method === 'CancelTask') return a2aError(message.id, { code: A2A_CODES.taskNotCancelable, message: HELD });
  if (message.method === 'SubscribeToTask') return streamHeldMessage(holding, held);
  return message.method === 'GetTask'
    ? settleHeldMessage(holding, held)
    : a2aError(message.id, { code: A2A_CODES.invalidParams, message: HELD });
};

const blocked = ({ id }: A2aMessage): JsonObject =>
  a2aError(id, { code: A2A_CODES.refused, message: 'A2A_CONNECTION_BLOCKED: The connection is blocked.' });

/** True if a message refers to a task or a context of another connection. */
const refersElsewhere = async ({ deps, caller, tool, message }: Holding): Promise<boolean> => {
  const { contextId, referenceTaskIds = [] } = (message.parameters.message ?? {}) as JsonObject;
  const scope = { tenant: caller.organizationId, connection_id: tool.a2a.connection_id, agentId: caller.agentId };
  if (!Array.isArray(referenceTaskIds) || referenceTaskIds.length > LIMITS.a2a.referencesMax) return true;
  for (const id of referenceTaskIds) if (!(await deps.a2aTasks.isOwner(scope, String(id)))) return true;
  return typeof contextId === 'string' && contextId !== '' && (await deps.a2aTasks.isOtherContext(scope, contextId));
};

/** The key of a message: a message id that comes again gets the first answer, and is not delivered again. */
const buildKey = ({ caller, message, tool }: Holding): string | undefined => {
  const { messageId } = (message.parameters.message ?? {}) as JsonObject;
  if (typeof messageId !== 'string' || messageId === '') return undefined;
  return `a2a/${tool.a2a.connection_id}/${textDigest(JSON.stringify([caller.agentId, messageId]))}`;
};

const answer = async (holding: Holding): Promise<JsonObject> => {
  const { call, deps, caller, message, tool, answering } = holding;
  const { task_id, message: sent } = message.parameters;
  const approvalId = readHeldTaskId(task_id ?? (sent as JsonObject | undefined)?.taskId);
  if (approvalId !== undefined) return answerHeld(holding, approvalId);
  if (await refersElsewhere(holding)) return taskNotFound(message);
  const { signal, onProgress } = answering;
  const keyed = { ...call, idempotencyKey: buildKey(holding) };
  const request = { caller, message, tool, signal, onProgress };
  return keepPushTarget(holding, await decideMessage(keyed, deps, { ...request, onHeld: (decision) => holdMessage(holding, decision) }));
};

/** Answers one message of the remote agent of an inbound connection to a published agent. */
export const answerPeer = async (call: CallAgent, deps: GatewayDeps): Promise<A2aAnswer | Refusal> => {
  const read = readMessage(call, deps);
  if (isErrorMessage(read)) return read;
  const { agentId: connectionId, organizationId, environmentId, name } = call.agent;
  const { agentId } = call.params;
  const published = await findPublishedAgent(deps, agentId);
  if (published === undefined) return buildRefusal('NOT_FOUND', 'The agent is not published.');
  if ((isPushMethod(read.method) || asksForPushes(read)) && published.card.push_notifications !== true)
    return { message: a2aError(read.id, PUSH_NOT_SUPPORTED) };
  const current = await loadCurrent(deps.pipeline, call, organizationId, agentId);
  if (isRefusal(current)) return current;
  const tool = current && findInboundTool(current, connectionId);
  if (tool === undefined) return buildRefusal('NOT_FOUND', 'The agent is not published.');
  // A remote agent cannot name approvals or delegations: those belong to the own organization.
  const push = await readPush(deps, { ...read, own: {} }, { organizationId, connectionId });
  if ('refused' in push) return { message: push.refused };
  const { message, target } = push;
  const caller: A2aCaller = {
    ...{ organizationId, environmentId, agentId, session: null, sdkName: undefined },
    principal: { type: 'AGENT', id: connectionId, name },
  };
  return answerInParts(call, message, (answering: A2aAnswerInput) => answer({ call, deps, caller, message, target, tool, answering }));
};
