import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressRequest, EgressResult } from '@svc/egress/requests/egress-request.ts';
import { maskExecution } from '@svc/enforcement/execution/mask-execution.ts';
import { readMcpResult } from '@svc/enforcement/execution/read-mcp-result.ts';
import type { McpResult } from '@svc/enforcement/ports/execution-results.ts';
import type { ExecutionCall, Executor } from '@svc/enforcement/ports/executors.ts';
import type { A2aTaskOwners } from '@svc/operations/peers/a2a/a2a-task-owners.ts';
import {
  buildA2aRequest,
  isLastEvent,
  readA2aAnswer,
  readA2aEvent,
  readTaskFacts,
  STREAMING_METHODS,
} from '@svc/peers/a2a/upstream/call.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { A2aRecords } from './a2a-records.ts';
import { asListedTask, readTaskPosition, writeTaskPosition } from './listed-tasks.ts';
import { answerPushMethod, hidePushToken, openPush, settlePush } from './push-requests.ts';

type A2aCall = ExecutionCall<'a2a'>;

/** Sends one request with the credential of its connection. */
export type SendA2a = (call: A2aCall, request: Omit<EgressRequest, 'tenant' | 'credential'>, timeoutMs: number) => Promise<EgressResult>;

const { callMs, streamMs, resultBytesMax, recheckMs, cancelMs } = LIMITS.a2a;
const TASK_NOT_FOUND = -32_001;
const NOT_THIS_AGENTS = 'There is no such task of this agent.';
const STOPPED = 'The call was stopped while it was in progress: the connection was blocked, or the agent may no longer use it.';

const TOO_MANY_PUSHES = 'The task or the agent has too many push configs. Delete one, or read the task.';

const NOTHING_SENT = { status: 0, bytes: 0, duration_ms: 0 };

/** Maximum changes of tasks that one response may store. */
const NOTES_MAX = 200;

/** Stores the tasks in the parts of a response when their state changes. */
const newTaskNotes = (owners: A2aTaskOwners, call: A2aCall) => {
  let taskId = call.task_id;
  const writes: Promise<void>[] = [];
  const states = new Map<string, string | undefined>();
  return {
    add: (result: Readonly<Record<string, unknown>>): void => {
      const found = readTaskFacts(result);
      if (found === undefined || writes.length >= NOTES_MAX) return;
      if (states.has(found.id) && (found.state === undefined || states.get(found.id) === found.state)) return;
      taskId = found.id;
      states.set(found.id, found.state);
      writes.push(owners.keep(call, found));
    },
    taskId: () => taskId,
    written: () => Promise.all(writes),
  };
};

const PAGE_SIZE = 50;
const INVALID_PARAMS = -32_602;

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Lists the tasks of the agent over the connection that the gateway has seen. Nothing is sent. */
const listTasks = async (owners: A2aTaskOwners, call: A2aCall): Promise<McpResult> => {
  const { contextId, status, pageSize = PAGE_SIZE, pageToken } = call.params;
  const facts = { status: 0, bytes: 0, duration_ms: 0 };
  const token = readText(pageToken);
  const after = token === undefined ? undefined : readTaskPosition(token);
  if (token !== undefined && after === undefined) return errorResult(INVALID_PARAMS, 'pageToken is not one of this list.', facts);
  const limit = Number(pageSize);
  const { rows, total } = await owners.list(call, { contextId: readText(contextId), state: readText(status), after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextPageToken =
    rows.length > limit && last !== undefined ? writeTaskPosition({ updatedAt: last.updated_at, taskId: last.task_id }) : '';
  const result = { tasks: page.map(asListedTask), nextPageToken, pageSize: limit, totalSize: total };
  return { kind: 'returned', result, isError: false, ...facts };
};

const timeoutMs = ({ method }: { readonly method: string }): number => (STREAMING_METHODS.includes(method) ? streamMs : callMs);

/** Aborts a call that is no longer permitted. Checks run sequentially until `end`. */
const newWatch = (mayLeave: () => Promise<boolean>) => {
  const stopped = new AbortController();
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    // A failed check permits nothing.
    const isPermitted = await mayLeave().catch(() => false);
    if (isEnded) return;
    if (!isPermitted) return stopped.abort();
    timer = setTimeout(check, recheckMs);
  };
  timer = setTimeout(check, recheckMs);
  return {
    signal: stopped.signal,
    end: (): void => {
      isEnded = true;
      clearTimeout(timer);
    },
  };
};

const errorResult = (code: number, message: string, facts: { status: number; bytes: number; duration_ms: number }): McpResult => ({
  ...{ kind: 'returned', result: { error: { code, message } }, isError: true },
  ...facts,
});

const toResult = (egress: EgressResult, id: string): McpResult => {
  if (egress.kind !== 'answered' && egress.kind !== 'answered_large') return egress;
  const { status, bytes, duration_ms } = egress;
  const reply = readA2aAnswer(egress, id);
  if (reply.kind === 'broken') return { kind: 'rejected', reason: reply.explanation, status, duration_ms };
  if (reply.kind === 'error') return errorResult(reply.code, reply.message, { status, bytes, duration_ms });
  return { kind: 'returned', result: reply.result, isError: false, status, bytes, duration_ms };
};

/** Asks the remote agent to cancel a task. Nothing waits for its answer, which a remote agent could hold back. */
const newCancelTask =
  (send: SendA2a) =>
  (call: A2aCall, taskId: string): void => {
    const { tenant: named } = call.params;
    const params = { id: taskId, ...(named === undefined ? {} : { tenant: named }) };
    const request = { method: 'POST', url: call.url, ...buildA2aRequest(newId('request'), 'CancelTask', params) };
    // Best effort: the outcome of the stopped call is recorded as unknown in any case.
    void send(call, { ...request, responseBytesMax: resultBytesMax, mayLeave: async () => true }, cancelMs).catch(() => undefined);
  };

/**
 * Executes requests to remote agents. Tasks belong to the agent that started them. A running request is stopped as soon as it is no longer
 * permitted, and its task is cancelled at the remote agent.
 */
export const newA2aExecutor = (egress: Egress, send: SendA2a, { owners, push }: A2aRecords): Executor<'a2a'> => {
  const cancelTask = newCancelTask(send);
  const execute: Executor<'a2a'>['execute'] = async (call) => {
    if (call.task_id !== null && !(await owners.isOwner(call, call.task_id)))
      return { ...errorResult(TASK_NOT_FOUND, NOT_THIS_AGENTS, NOTHING_SENT), isUnsent: true };
    if (call.method === 'ListTasks') return listTasks(owners, call);
    const known = await answerPushMethod(push, call);
    if (known !== undefined) return known;
    const asked = await openPush(push, call);
    if (asked === undefined) return { ...errorResult(INVALID_PARAMS, TOO_MANY_PUSHES, NOTHING_SENT), isUnsent: true };
    const id = newId('request');
    const watch = newWatch(call.mayLeave);
    let isUnsent = true;
    let parts = 0;
    const notes = newTaskNotes(owners, call);
    const sent = await send(
      call,
      {
        ...{ method: 'POST', url: call.url, ...buildA2aRequest(id, call.method, asked.params) },
        mayLeave: call.mayLeave,
        signal: call.signal === undefined ? watch.signal : AbortSignal.any([call.signal, watch.signal]),
        responseBytesMax: resultBytesMax,
        onSend: () => {
          isUnsent = false;
        },
        onEvent: ({ data }) => {
          const event = readA2aEvent(data, id);
          if (event === undefined) return false;
          if (event.kind !== 'result' || isLastEvent(event.result)) return true;
          notes.add(event.result);
          parts += 1;
          // Rules that mask a result mask its last part; the others are withheld.
          if (call.masks.length === 0) call.onProgress?.({ progress: parts, part: event.result });
          return false;
        },
      },
      timeoutMs(call),
    ).finally(watch.end);
    const result = toResult(sent, id);
    if (result.kind === 'returned' && !result.isError) notes.add(result.result);
    await notes.written();
    await settlePush(push, call, asked.pushId, result, notes.taskId());
    if (watch.signal.aborted) {
      const taskId = notes.taskId();
      if (taskId !== null) cancelTask(call, taskId);
      return { kind: 'failed', reason: STOPPED, sent: !isUnsent, ...(isUnsent ? { isUnsent } : {}) };
    }
    if (isUnsent && result.kind !== 'returned') return { ...result, isUnsent };
    return hidePushToken(push, call, asked.pushId, result);
  };

  return { disabledFor: egress.disabledFor, timeoutMs, execute, readResult: (_call, result) => readMcpResult(result), mask: maskExecution };
};
