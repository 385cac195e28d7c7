import type { Action } from '@svc/contract/actions/actions.ts';
import type { Decision } from '@svc/contract/actions/decisions.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { PushTarget } from '@svc/domain/peers/a2a/push-target.ts';
import type { ApprovalFacts } from '@svc/enforcement/facts/facts.ts';
import { buildCompletedTask, buildHeldTask, heldTaskId, readContextId, readHeldResult } from '@svc/peers/a2a/front/held-task.ts';
import { A2A_CODES, type A2aMessage, a2aError, a2aResult } from '@svc/peers/a2a/front/read-request.ts';
import { findAction } from '@svc/postgres/actions/actions/actions.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findApproval } from '@svc/postgres/governance/open-governance.ts';
import type { GatewayDeps } from '../../../deps.ts';
import type { A2aAnswerInput } from '../answering/answer-in-parts.ts';
import { type A2aCall, type A2aMessageRequest, decideMessage } from '../answering/decide-message.ts';
import { isConnectionVerified } from './is-connection-verified.ts';
import { movePushTarget } from './push-targets.ts';

/** Input of every answer about a held message. */
export type Holding = Pick<A2aMessageRequest, 'caller' | 'message' | 'tool'> & {
  readonly call: A2aCall;
  readonly deps: GatewayDeps;
  readonly answering: A2aAnswerInput;
  /** Address at which the remote agent wants push notifications of the task. */
  readonly target: PushTarget | undefined;
};

type Held = { readonly approval: ApprovalFacts; readonly action: Action };

const WAITS = 'A person has to approve this message. The task goes on when it is approved.';
const REJECTED = 'The message was not approved.';
const FAILED = 'The message was approved, and could not be delivered.';
const TOO_MANY_PUSHES = 'There are too many push configs. Delete one, or read the task.';
const CONNECTION_BLOCKED = 'A2A_CONNECTION_BLOCKED: The connection is blocked.';
const { waitSliceMs, heldStreamMs } = LIMITS.a2a;

const isMembers = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Finds a held message of the connection; undefined for any other approval. */
export const findHeldMessage = async ({ deps, caller, tool }: Holding, approvalId: string): Promise<Held | undefined> => {
  const { organizationId, agentId } = caller;
  const approval = await findApproval(deps.database, organizationId, approvalId);
  if (approval === null || approval.agent_id !== agentId) return undefined;
  const read = (id: string) => readInTenant(deps.database, { organization_id: organizationId }, (tx) => findAction(tx, organizationId, id));
  const action = await read(approval.action_id);
  const isOwn = action?.tool === tool.name && action.principal.id === caller.principal.id;
  return isOwn ? { approval, action } : undefined;
};

const facts = ({ deps }: Holding, { approval, action }: Held) => {
  const id = heldTaskId(approval.id);
  const { message } = (action.parameters ?? {}) as JsonObject;
  return { id, contextId: readContextId(message, id), at: deps.clock.now().toISOString() };
};

const inState = (holding: Holding, held: Held, state: string, text: string): JsonObject =>
  buildHeldTask({ ...facts(holding, held), state, text });

/** Reads the task that the agent began for a held message. If it may not be read, returns the known members. */
const followTask = async (holding: Holding, taskId: string, known: JsonObject): Promise<JsonObject> => {
  const { call, deps, caller, tool, message, answering } = holding;
  const asked: A2aMessage = { ...message, own: {}, method: 'GetTask', parameters: { method: 'GetTask', task_id: taskId } };
  const answered = await decideMessage(call, deps, { caller, tool, message: asked, signal: answering.signal, onProgress: undefined });
  return isMembers(answered.result) ? answered.result : known;
};

/**
 * Returns the task of a delivered message, under the id that the remote agent knows. A stream has already sent everything but its state.
 */
const asTask = async (holding: Holding, held: Held, result: unknown): Promise<JsonObject> => {
  const { message, answering } = holding;
  const read = isMembers(result) ? readHeldResult(result) : undefined;
  if (read === undefined) return a2aResult(message.id, inState(holding, held, 'TASK_STATE_FAILED', FAILED));
  if ('parts' in read)
    return a2aResult(message.id, buildCompletedTask({ ...facts(holding, held), state: 'TASK_STATE_COMPLETED' }, read.parts));
  const isKnown = read.isWhole || (answering.parts !== undefined && read.known.status !== undefined);
  const task = isKnown ? read.known : await followTask(holding, read.taskId, read.known);
  return a2aResult(message.id, { ...task, id: heldTaskId(held.approval.id) });
};

/** Returns the task of a message whose approval was used, from its action's record. */
const readRecordedTask = async (holding: Holding, held: Held): Promise<JsonObject> => {
  const { execution, status } = held.action;
  if (status === 'EXECUTING' || status === 'PENDING_APPROVAL')
    return a2aResult(holding.message.id, inState(holding, held, 'TASK_STATE_WORKING', 'The message is being delivered.'));
  return asTask(holding, held, execution?.result);
};

/** Delivers an approved message. One of concurrent requests uses the approval; the others read its action. */
const deliver = async (holding: Holding, held: Held): Promise<JsonObject> => {
  const { call, deps, caller, tool, message, answering } = holding;
  const parameters = (held.action.parameters ?? {}) as JsonObject;
  const resumed: A2aMessage = { id: message.id, method: String(parameters.method), parameters, own: { 'approval-id': held.approval.id } };
  const { signal, onProgress } = answering;
  const answered = await decideMessage(call, deps, { caller, tool, message: resumed, signal, onProgress });
  if (isMembers(answered.result)) {
    await movePushTarget(holding, heldTaskId(held.approval.id), answered.result);
    return asTask(holding, held, answered.result);
  }
  const now = await findHeldMessage(holding, held.approval.id);
  return now?.approval.status === 'CONSUMED' ? readRecordedTask(holding, now) : answered;
};

/** Answers with the current task of a held message, and delivers the message once it is approved. */
export const settleHeldMessage = async (holding: Holding, held: Held): Promise<JsonObject> => {
  const { status, expires_at } = held.approval;
  const { deps, message } = holding;
  if (status === 'CONSUMED') return readRecordedTask(holding, held);
  if (status === 'APPROVED') return deliver(holding, held);
  const isPending = status === 'PENDING' && Date.parse(expires_at) > deps.clock.now().getTime();
  const [state, text] = isPending ? ['TASK_STATE_AUTH_REQUIRED', WAITS] : ['TASK_STATE_REJECTED', REJECTED];
  return a2aResult(message.id, inState(holding, held, state, text));
};

/** Keeps a stream open until its message is approved or refused, for a bounded time. A block ends it at once. */
export const streamHeldMessage = async (holding: Holding, held: Held): Promise<JsonObject> => {
  const { answering, caller, deps, message, tool } = holding;
  const statusUpdate = (task: JsonObject) => ({ statusUpdate: { taskId: task.id, contextId: task.contextId, status: task.status } });
  answering.parts?.pass({ task: inState(holding, held, 'TASK_STATE_AUTH_REQUIRED', WAITS) });
  const { organizationId, agentId } = caller;
  const what = { organizationId, agentId, approvalId: held.approval.id, isGone: () => answering.signal.aborted };
  const until = performance.now() + heldStreamMs;
  let now: Held | undefined = held;
  while (now?.approval.status === 'PENDING' && performance.now() < until && !answering.signal.aborted) {
    await deps.approvalWaits.wait(what, waitSliceMs);
    if (!(await isConnectionVerified(holding))) return a2aError(message.id, { code: A2A_CODES.refused, message: CONNECTION_BLOCKED });
    now = await findHeldMessage(holding, held.approval.id);
  }
  if (now === undefined) return a2aError(message.id, { code: A2A_CODES.taskNotFound, message: 'The task is no longer there.' });
  const settled = await settleHeldMessage(holding, now);
  // The last event of a stream updates the task that it began with.
  return isMembers(settled.result) && tool.a2a.direction === 'INBOUND' ? a2aResult(message.id, statusUpdate(settled.result)) : settled;
};

/** Stores a message that waits for an approval as a task, and answers with that task. */
export const holdMessage = async (holding: Holding, decision: Decision): Promise<JsonObject> => {
  const { call, caller, deps, message, tool, answering } = holding;
  const approvalId = decision.approval?.approval_id ?? '';
  const held = await findHeldMessage(holding, approvalId);
  if (held === undefined) return a2aError(message.id, { code: A2A_CODES.internalError, message: 'The service failed. Try again.' });
  const { id, contextId } = facts(holding, held);
  const { workspace_id, environment_id } = held.action;
  const { organizationId: tenant, agentId } = caller;
  const scope = {
    tenant,
    agentId,
    connection_id: tool.a2a.connection_id,
    place: { workspace_id, environment_id },
    actionId: held.action.id,
  };
  await deps.a2aTasks.keep(scope, { id, contextId, state: 'TASK_STATE_AUTH_REQUIRED', approvalId });
  if (holding.target !== undefined && !(await deps.a2aPushTargets.hold(scope, { id, approvalId }, holding.target)))
    return a2aError(message.id, { code: A2A_CODES.invalidParams, message: TOO_MANY_PUSHES });
  call.onCall();
  if (answering.parts !== undefined) return streamHeldMessage(holding, held);
  return a2aResult(message.id, { task: inState(holding, held, 'TASK_STATE_AUTH_REQUIRED', WAITS) });
};
