/** Calls a tool, reads a resource or gets a prompt of an MCP server: builds the request, and reads the answer. Nothing is sent here. */
import type { McpOfferKind } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { ServerEvent } from '@svc/egress/requests/server-event.ts';
import type { DefinitionFault, ToolDefinition } from '../definitions/definition.ts';
import { explainUnanswered } from './failures.ts';
import { type AnswerText, answerText, isMembers, type NoText, parseJson, plainText } from './messages.ts';
import { buildParameterHeaders } from './parameter-headers.ts';
import { buildMessage, type ClientInfo, type Era } from './protocol.ts';

/** A call as it was decided. `definition` is the authorized one. */
export type DecidedToolCall = {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly sessionId?: string | undefined;
  readonly kind: McpOfferKind;
  /** The server's own name of the tool or prompt. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly definition: Pick<ToolDefinition, 'inputSchema'>;
  readonly clientInfo: ClientInfo;
  readonly id: string | number;
  /** Only if the client asked for progress. */
  readonly progressToken?: string | number | undefined;
};

export type BuiltCall = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Returns the method of a call with its parameters. `name` is repeated in a header. */
const nameCall = (kind: McpOfferKind, name: string, given: JsonObject): { method: string; name: string; params: JsonObject } => {
  if (kind === 'TOOL') return { method: 'tools/call', name, params: { name, arguments: given } };
  if (kind === 'PROMPT') return { method: 'prompts/get', name, params: { name, arguments: given } };
  const uri = String(given.uri);
  return { method: 'resources/read', name: uri, params: { uri } };
};

/**
 * Builds the headers and the body of a call from the arguments that were decided on; no header of a client is copied. Returns a fault for a tool
 * with invalid `x-mcp-header` annotations, and for an argument that fits in no header.
 */
export const buildToolCall = (call: DecidedToolCall): BuiltCall | DefinitionFault => {
  const { era, protocolVersion, sessionId, kind, name, definition, clientInfo, id, progressToken } = call;
  const repeated = era === 'MODERN' && kind === 'TOOL' ? buildParameterHeaders(definition, call.arguments) : {};
  if (isFault(repeated)) return repeated;
  const message = {
    id,
    ...nameCall(kind, name, call.arguments),
    ...(progressToken === undefined ? {} : { progressToken }),
  };
  const { headers, body } = buildMessage({ era, protocolVersion, sessionId }, message, clientInfo);
  return { headers: { ...headers, ...repeated }, body };
};

/** Header names are lower-case with hyphens, so that `fault` is none of them. */
const isFault = (built: Readonly<Record<string, string>> | DefinitionFault): built is DefinitionFault => Object.hasOwn(built, 'fault');

/** A result of a tool, in the form that the protocol gives it. */
export type UpstreamResult = JsonObject & { readonly content: readonly JsonObject[] };

/** Roles of the messages of a prompt. */
const ROLES: readonly unknown[] = ['user', 'assistant'];

/** The answer of a server to a call. */
export type ToolAnswer =
  /** `isError`: the tool states that it did not do what was asked. */
  | { readonly kind: 'result'; readonly result: UpstreamResult; readonly isError: boolean }
  /** The server refused the call. */
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  /** The server no longer knows the session and did nothing. */
  | { readonly kind: 'session_lost' }
  /** An answer that this service does not pass on. The tool may have acted. */
  | { readonly kind: 'unsupported'; readonly explanation: string }
  /** There is no answer that could be read. `sent`: the server may have acted. */
  | { readonly kind: 'broken'; readonly explanation: string; readonly sent: boolean; readonly status?: number };

const { contentBlocksMax } = LIMITS.mcp;

const broken = (explanation: string, status?: number): ToolAnswer => ({
  kind: 'broken',
  explanation,
  sent: true,
  ...(status === undefined ? {} : { status }),
});
const unsupported = (explanation: string): ToolAnswer => ({ kind: 'unsupported', explanation });

const UNREAD: Readonly<Record<NoText, string>> = {
  TOO_LARGE: 'The answer of the server is too large to be read. Ask the tool for less.',
  UNREADABLE: 'The answer of the server could not be read in time, because this service is busy.',
};
const NO_RESULT = broken('The answer of the server is not the result of a tool. Check the server and its version.');
const NO_CONTENT = broken('The answer of the server is not the content of a resource, or not the messages of a prompt. Check the server.');
const REQUESTED: Readonly<Record<string, string>> = {
  'elicitation/create': 'input from a person (elicitation)',
  'sampling/createMessage': 'an answer of a model (sampling)',
  'roots/list': 'a list of folders (roots)',
};

const requestedInputs = (requests: unknown): string => {
  const methods = isMembers(requests) ? Object.values(requests).map((each) => (isMembers(each) ? plainText(each.method) : '')) : [];
  const known = [...new Set(methods)].slice(0, 5).map((method) => REQUESTED[method] ?? 'input of an unknown kind');
  return known.length === 0 ? 'more input' : known.join(', ');
};

/**
 * Returns the content of a resource or a prompt as that of a tool, so that rules mask it, and findings are searched in it, in one way. Undefined for a
 * result that is neither.
 */
const readContent = (kind: McpOfferKind, result: JsonObject): JsonObject | undefined => {
  const { contents, messages, description } = result;
  if (kind === 'PROMPT') {
    const isPrompt =
      Array.isArray(messages) && messages.every((each) => isMembers(each) && ROLES.includes(each.role) && isMembers(each.content));
    if (!isPrompt) return undefined;
    const roles = messages.map(({ role }) => role);
    return { content: messages.map(({ content }) => content), roles, ...(typeof description === 'string' ? { description } : {}) };
  }
  const isResource = (each: unknown): boolean =>
    isMembers(each) && typeof each.uri === 'string' && (typeof each.text === 'string' || typeof each.blob === 'string');
  if (!Array.isArray(contents) || !contents.every(isResource)) return undefined;
  return { content: contents.map((resource) => ({ type: 'resource', resource })) };
};

const readResult = (result: JsonObject, kind: McpOfferKind): ToolAnswer => {
  const { resultType = 'complete', content = [], isError = false } = result;
  if (resultType === 'input_required')
    return unsupported(
      `The server asks for ${requestedInputs(result.inputRequests)}, which is not passed on. Use a tool that needs no input.`,
    );
  if (resultType !== 'complete')
    return unsupported(
      `The server answered with a result of type ${plainText(resultType).slice(0, 64) || 'unknown'}, which is not supported.`,
    );
  if (kind !== 'TOOL') {
    const read = readContent(kind, result);
    return read === undefined ? NO_CONTENT : readResult(read, 'TOOL');
  }
  const isContent = Array.isArray(content) && content.length <= contentBlocksMax && content.every(isMembers);
  if (!isContent || typeof isError !== 'boolean') return NO_RESULT;
  return { kind: 'result', result: { ...result, content }, isError };
};

/** Legacy servers ask for a visit to a page by an error. */
const URL_ELICITATION = -32_042;

const readError = (error: JsonObject): ToolAnswer => {
  const code = typeof error.code === 'number' && Number.isSafeInteger(error.code) ? error.code : 0;
  if (code === URL_ELICITATION)
    return unsupported('The server asks a person to open a page, which is not passed on. Complete its setup directly.');
  return { kind: 'error', code, message: plainText(error.message) };
};

const SESSION_WORD = /\bsession\b/iu;

/** A server answers 404 for a session that it does not know; some answer 400 and say so. */
const isSessionLost = ({ status, text }: AnswerText, message: unknown): boolean => {
  const error = isMembers(message) && isMembers(message.error) ? message.error : undefined;
  if (status === 404) return error === undefined || error.code !== -32_601;
  return status === 400 && SESSION_WORD.test(error === undefined ? text.slice(0, 1_000) : plainText(error.message));
};

const explainStatus = (status: number): string => {
  if (status === 401 || status === 403) return `The server refused the credential (status ${status}). Renew or replace it.`;
  if (status >= 300 && status < 400)
    return `The server redirects (status ${status}), and redirects are not followed. Register its new address.`;
  return `The server answered with status ${status} and no message of the protocol. Check its log.`;
};

const readAnswered = (answer: AnswerText, id: string | number, era: Era, kind: McpOfferKind): ToolAnswer => {
  const message = answer.isJson ? parseJson(answer.text) : undefined;
  if (era === 'LEGACY' && isSessionLost(answer, message)) return { kind: 'session_lost' };
  if (!isMembers(message)) return broken(explainStatus(answer.status), answer.status);
  // An error that was found before the request was parsed carries no id.
  const isOurs = message.id === id || ((message.id === null || message.id === undefined) && isMembers(message.error));
  if (!isOurs) return broken('The server answered another request than the one it was sent. Check the server.', answer.status);
  if (answer.status === 401 || answer.status === 403) return broken(explainStatus(answer.status), answer.status);
  if (isMembers(message.error)) return readError(message.error);
  if (answer.status !== 200) return broken(explainStatus(answer.status), answer.status);
  return isMembers(message.result) ? readResult(message.result, kind) : NO_RESULT;
};

/**
 * Reads the answer to a call. Unknown result types, and those that ask for input, are never passed on: clients of older revisions would take them
 * for success. Sessions are lost with legacy servers only. A large answer is parsed here and its memory released.
 */
export const readToolAnswer = (result: EgressResult, id: string | number, era: Era = 'LEGACY', kind: McpOfferKind = 'TOOL'): ToolAnswer => {
  if (result.kind === 'answered' || result.kind === 'answered_large') {
    const answer = answerText(result);
    return typeof answer === 'string' ? broken(UNREAD[answer]) : readAnswered(answer, id, era, kind);
  }
  const sent = result.kind === 'timeout' || (result.kind === 'failed' && result.sent);
  return { kind: 'broken', explanation: explainUnanswered(result).explanation, sent };
};

/** Parses the data of an event; undefined if it is not a JSON object. */
const readEvent = ({ data }: ServerEvent): JsonObject | undefined => {
  const message = parseJson(data);
  return isMembers(message) ? message : undefined;
};

/** Returns true for the event whose data answers the request with this id. */
export const isAnswer = (event: ServerEvent, id: string | number): boolean => {
  const message = readEvent(event);
  return message?.id === id && message.method === undefined && (message.result !== undefined || message.error !== undefined);
};

/** How far a call is. */
export type McpProgress = {
  readonly token: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
};

/** Returns the progress that an event reports; undefined for any other event. */
export const readProgress = (event: ServerEvent): McpProgress | undefined => {
  const message = readEvent(event);
  if (message?.method !== 'notifications/progress' || !isMembers(message.params)) return undefined;
  const { progressToken: token, progress, total, message: text } = message.params;
  if ((typeof token !== 'string' && typeof token !== 'number') || typeof progress !== 'number') return undefined;
  return {
    token,
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof text === 'string' ? { message: plainText(text).slice(0, 500) } : {}),
  };
};

/**
 * Returns the answer that a legacy server waits for when it makes a request of its own within a stream; undefined for any other event. A ping is
 * answered, everything else is refused. Modern servers make no requests.
 */
export const answerServerRequest = (event: ServerEvent): { readonly method: string; readonly body: string } | undefined => {
  const message = readEvent(event);
  if (message === undefined || typeof message.method !== 'string') return undefined;
  const { id, method } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const error = { code: -32601, message: 'This client offers no sampling, roots or elicitation.' };
  return { method, body: JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'ping' ? { result: {} } : { error }) }) };
};
