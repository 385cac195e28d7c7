/** Sends JSON-RPC requests to one server, within the time and size of one listing or handshake. */

import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EgressRequest, EgressResult } from '@svc/egress/requests/egress-request.ts';
import { isAnswer } from './call.ts';
import { explainUnanswered, type ListingFailure, newFailure } from './failures.ts';
import { type AnswerText, answerText, isMembers, parseJson, plainText } from './messages.ts';
import { buildMessage, type ClientInfo, type Dialect, type McpRpcMessage } from './protocol.ts';

/** Sends one HTTP request. The caller adds the tenant and the credential. */
export type Send = (request: Omit<EgressRequest, 'tenant'>) => Promise<EgressResult>;

export type McpConnection = {
  readonly send: Send;
  readonly url: string;
  readonly clientInfo: ClientInfo;
  readonly remainingMs: () => number;
  /** Bytes that may still be read. */
  bytesLeft: number;
  lastId: number;
};

export type OpenConnection = {
  readonly send: Send;
  readonly url: string;
  readonly clientInfo: ClientInfo;
  /** Milliseconds of a clock. */
  readonly now: () => number;
};

/** An answer of a server to one request. `http` is any answer that is not JSON-RPC. */
export type RpcAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject; readonly answer: AnswerText }
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data: unknown; readonly answer: AnswerText }
  | { readonly kind: 'http'; readonly answer: AnswerText }
  | { readonly kind: 'failed'; readonly failure: ListingFailure };

const REQUEST_MS_MIN = 1;
const NOTIFICATION_BYTES_MAX = 65_536;

/** Begins to count the time and the bytes of a listing. */
export const newConnection = ({ send, url, clientInfo, now }: OpenConnection): McpConnection => {
  const endsAt = now() + LIMITS.mcp.listingMs;
  return {
    send,
    url,
    clientInfo,
    remainingMs: () => Math.max(REQUEST_MS_MIN, endsAt - now()),
    bytesLeft: LIMITS.mcp.listingBytesMax,
    lastId: 0,
  };
};

const failed = (failure: ListingFailure): RpcAnswer => ({ kind: 'failed', failure });

const TOO_LARGE = newFailure(
  'TOO_LARGE',
  `The list of tools is larger than ${LIMITS.mcp.listingBytesMax} bytes. Reduce the number or size of the server's tools.`,
);
const TIMEOUT = newFailure('TIMEOUT', 'The server took too long to list its tools. Check that it is not overloaded, then list them again.');

const UNREADABLE = newFailure(
  'TIMEOUT',
  'The answer of the server could not be read in time, because this service is busy. List the tools again.',
);

const readMessage = (answer: AnswerText, id: number): RpcAnswer => {
  const message = answer.isJson ? parseJson(answer.text) : undefined;
  // An error that was found before the request was parsed carries no id.
  if (!isMembers(message) || (message.id !== id && message.id !== null && message.id !== undefined)) return { kind: 'http', answer };
  if (isMembers(message.error)) {
    const { code, message: text, data } = message.error;
    return { kind: 'error', code: typeof code === 'number' ? code : 0, message: plainText(text), data, answer };
  }
  if (message.id !== id || !isMembers(message.result) || answer.status !== 200) return { kind: 'http', answer };
  return { kind: 'result', result: message.result, answer };
};

/** Sends one request and reads its answer, as JSON or from an event stream. */
export const requestRpc = async (
  connection: McpConnection,
  dialect: Dialect,
  message: McpRpcMessage,
  timeoutMs: number = LIMITS.mcp.listingMs,
): Promise<RpcAnswer> => {
  if (connection.bytesLeft <= 0) return failed(TOO_LARGE);
  if (connection.remainingMs() <= REQUEST_MS_MIN) return failed(TIMEOUT);
  connection.lastId += 1;
  const id = connection.lastId;
  const result = await connection.send({
    method: 'POST',
    url: connection.url,
    ...buildMessage(dialect, { ...message, id }, connection.clientInfo),
    timeoutMs: Math.min(timeoutMs, connection.remainingMs()),
    responseBytesMax: connection.bytesLeft,
    onEvent: (event) => isAnswer(event, id),
  });
  if (result.kind !== 'answered' && result.kind !== 'answered_large')
    return failed(result.kind === 'failed' && result.tooLarge === true ? TOO_LARGE : explainUnanswered(result));
  connection.bytesLeft -= result.bytes;
  const answer = answerText(result);
  if (typeof answer === 'string') return failed(answer === 'TOO_LARGE' ? TOO_LARGE : UNREADABLE);
  return readMessage(answer, id);
};

/** Sends one notification, whose answer holds nothing. Returns the failure if it could not be sent. */
export const notifyRpc = async (connection: McpConnection, dialect: Dialect, method: string): Promise<ListingFailure | undefined> => {
  const result = await connection.send({
    method: 'POST',
    url: connection.url,
    ...buildMessage(dialect, { method }, connection.clientInfo),
    timeoutMs: connection.remainingMs(),
    responseBytesMax: NOTIFICATION_BYTES_MAX,
    // An answer to a notification has no content, so that the first event ends it.
    onEvent: () => true,
  });
  return result.kind === 'answered' || result.kind === 'answered_large' ? undefined : explainUnanswered(result);
};
