/** Reads push notifications of remote agents. */
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isMembers } from '../../mcp/upstream/messages.ts';
import { readTaskFacts, type TaskFacts } from '../upstream/call.ts';

/** A task and its state in a notification. */
export type PushNotification = { readonly taskId: string; readonly state: TaskFacts['state']; readonly contextId: TaskFacts['contextId'] };

type NotificationFault = { readonly pointer: string; readonly fault: string };

const KINDS = ['task', 'statusUpdate', 'artifactUpdate', 'message'] as const;
const STATE = /^TASK_STATE_[A-Z_]{1,40}$/u;

/** Reads one notification: exactly one of the four kinds, about one task. */
export const readNotification = (body: JsonObject): PushNotification | NotificationFault => {
  const kinds = KINDS.filter((kind) => body[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) return { pointer: '', fault: `must have exactly one of ${KINDS.join(', ')}` };
  const about = body[kind];
  if (!isMembers(about)) return { pointer: `/${kind}`, fault: 'must be an object' };
  const facts = readTaskFacts(
    kind === 'message' ? { artifactUpdate: { taskId: about.taskId, contextId: about.contextId } } : { [kind]: about },
  );
  if (facts === undefined) return { pointer: `/${kind}`, fault: 'must name its task' };
  const { id, state, contextId } = facts;
  if (state !== undefined && !STATE.test(state)) return { pointer: `/${kind}/status/state`, fault: 'must be a state of Agent2Agent 1.0' };
  return { taskId: id, state, contextId };
};
