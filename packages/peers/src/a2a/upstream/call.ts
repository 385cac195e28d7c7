/** Builds requests to remote agents and reads their answers. Nothing is sent here. */

import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import { answerText, isMembers, parseJson, plainText } from '../../mcp/upstream/messages.ts';

const A2A_VERSION = '1.0';

export const STREAMING_METHODS: readonly string[] = ['SendStreamingMessage', 'SubscribeToTask'];

export const buildA2aRequest = (id: string, method: string, params: JsonObject) => ({
  headers: {
    'content-type': 'application/json',
    accept: STREAMING_METHODS.includes(method) ? 'text/event-stream, application/json' : 'application/json',
    'a2a-version': A2A_VERSION,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
});

/** The answer of a remote agent. `error`: it refused the request. `broken`: there is no answer that can be passed on. */
export type A2aReply =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  | { readonly kind: 'broken'; readonly explanation: string };

const broken = (explanation: string): A2aReply => ({ kind: 'broken', explanation });

const readMessage = (value: unknown, id: string): A2aReply | undefined => {
  if (!isMembers(value)) return undefined;
  const { error, result } = value;
  if (isMembers(error) && (value.id === id || value.id === null || value.id === undefined)) {
    const code = typeof error.code === 'number' && Number.isSafeInteger(error.code) ? error.code : -32_603;
    return { kind: 'error', code, message: plainText(error.message) };
  }
  return value.id === id && isMembers(result) ? { kind: 'result', result } : undefined;
};

/** Reads an answer that arrived, the last event of a stream included. */
export const readA2aAnswer = (answered: Extract<EgressResult, { kind: 'answered' | 'answered_large' }>, id: string): A2aReply => {
  const answer = answerText(answered);
  if (typeof answer === 'string') return broken('The answer of the remote agent is too large to be read.');
  const { status, text, isJson } = answer;
  const read = isJson ? readMessage(parseJson(text), id) : undefined;
  if (read !== undefined && (read.kind === 'error' || status === 200)) return read;
  if (status === 401 || status === 403)
    return broken(`The remote agent refused the credential (status ${status}). Renew or replace the credential of the connection.`);
  if (status >= 300 && status < 400) return broken(`The remote agent redirects (status ${status}), and redirects are not followed.`);
  return broken(`The remote agent answered with status ${status} and no message of the protocol.`);
};

/** Reads one event of a stream; undefined if it answers another request. */
export const readA2aEvent = (data: string, id: string): A2aReply | undefined => readMessage(parseJson(data), id);

const ENDING: ReadonlySet<unknown> = new Set([
  ...['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED'],
  ...['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'],
]);

const stateIn = (value: unknown): unknown => (isMembers(value) && isMembers(value.status) ? value.status.state : undefined);

/** Returns true for an event after which a stream ends: a message, or a task that no longer runs. */
export const isLastEvent = (result: JsonObject): boolean =>
  isMembers(result.message) || ENDING.has(stateIn(result.task)) || ENDING.has(stateIn(result.statusUpdate));

/** A task as a result states it. */
export type TaskFacts = { readonly id: string; readonly state: string | undefined; readonly contextId: string | undefined };

const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= LIMITS.a2a.taskIdCharsMax ? value : undefined;

/** Returns the task that a result is about; undefined if it is about none. */
export const readTaskFacts = (result: JsonObject): TaskFacts | undefined => {
  const { task, statusUpdate, artifactUpdate } = result;
  const about = [task, statusUpdate, artifactUpdate].find(isMembers) ?? (isMembers(result.status) ? result : undefined);
  if (about === undefined) return undefined;
  const id = shortText(about.taskId ?? about.id);
  return id === undefined ? undefined : { id, state: shortText(stateIn(about)), contextId: shortText(about.contextId) };
};
