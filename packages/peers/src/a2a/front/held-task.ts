/** Tasks of messages that wait for an approval. They exist at the gateway alone: the agent has not received the message yet. */
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isMembers } from '../../mcp/upstream/messages.ts';
import { isLastEvent } from '../upstream/call.ts';

const PREFIX = 'held-';

export const heldTaskId = (approvalId: string): string => PREFIX + approvalId;

/** Returns the approval that a task waits for; undefined for a task of the agent. */
export const readHeldTaskId = (taskId: unknown): string | undefined =>
  typeof taskId === 'string' && taskId.startsWith(PREFIX) ? taskId.slice(PREFIX.length) : undefined;

type HeldTask = { readonly id: string; readonly contextId: string; readonly state: string; readonly text?: string; readonly at: string };

/** Builds a task in a state, with a text for people. */
export const buildHeldTask = ({ id, contextId, state, text, at }: HeldTask): JsonObject => {
  const parts = text === undefined ? undefined : [{ text }];
  const message = parts === undefined ? {} : { message: { messageId: `${id}-${state}`, contextId, taskId: id, role: 'ROLE_AGENT', parts } };
  return { id, contextId, status: { state, timestamp: at, ...message } };
};

/** Returns the context of a message, or the task itself as its context. */
export const readContextId = (message: unknown, taskId: string): string =>
  isMembers(message) && typeof message.contextId === 'string' && message.contextId !== '' ? message.contextId : taskId;

/** The answer of the agent to a held message: a task of its own with its known members, or a message. */
export type HeldResult =
  | { readonly taskId: string; readonly known: JsonObject; readonly isWhole: boolean }
  | { readonly parts: readonly unknown[] };

export const readHeldResult = (result: JsonObject): HeldResult | undefined => {
  const { task, statusUpdate, artifactUpdate, message } = result;
  if (isMembers(task) && typeof task.id === 'string') return { taskId: task.id, known: task, isWhole: isLastEvent(result) };
  const about = [statusUpdate, artifactUpdate].find(isMembers);
  if (typeof about?.taskId === 'string') {
    const { taskId, contextId, status } = about;
    return { taskId, known: { contextId, ...(status === undefined ? {} : { status }) }, isWhole: false };
  }
  return isMembers(message) && Array.isArray(message.parts) ? { parts: message.parts } : undefined;
};

/** Builds the completed task of a held message that the agent answered with a message. */
export const buildCompletedTask = (task: HeldTask, parts: readonly unknown[]): JsonObject => ({
  ...buildHeldTask(task),
  artifacts: [{ artifactId: `${task.id}-answer`, parts }],
});
