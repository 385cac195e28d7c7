import { parseJson } from '@svc/peers/mcp/upstream/messages.ts';
import type { A2aTaskRow, TaskPosition } from '@svc/postgres/peers/a2a/a2a-tasks.ts';

/** Formats a task for ListTasks: its id, context and last seen state. */
export const asListedTask = ({ task_id, context_id, state, updated_at }: A2aTaskRow) => ({
  id: task_id,
  ...(context_id === null ? {} : { contextId: context_id }),
  status: { state: state ?? 'TASK_STATE_UNSPECIFIED', timestamp: updated_at },
});

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;

/** Encodes the position after a task as a page token. It names nothing that the caller may not see. */
export const writeTaskPosition = ({ updatedAt, taskId }: TaskPosition): string =>
  Buffer.from(JSON.stringify([updatedAt, taskId])).toString('base64url');

/** Decodes a page token; undefined for an invalid one. */
export const readTaskPosition = (token: string): TaskPosition | undefined => {
  const value = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  if (!Array.isArray(value)) return undefined;
  const [updatedAt, taskId] = value;
  const isTime = typeof updatedAt === 'string' && TIME.test(updatedAt) && !Number.isNaN(Date.parse(updatedAt));
  return isTime && typeof taskId === 'string' ? { updatedAt, taskId } : undefined;
};
