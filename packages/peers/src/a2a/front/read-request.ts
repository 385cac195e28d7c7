/** Reads what agents send to the A2A endpoint of a connection. */
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isPushMethod } from '@svc/domain/peers/a2a/push-notifications.ts';
import { isMembers } from '../../mcp/upstream/messages.ts';

/** Error codes of JSON-RPC and of Agent2Agent. */
export const A2A_CODES = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  pushNotSupported: -32_003,
  unsupportedOperation: -32_004,
  taskNotFound: -32_001,
  taskNotCancelable: -32_002,
  versionNotSupported: -32_009,
  /** Outside the ranges that JSON-RPC and the protocol reserve: the service refused the request. */
  refused: -31_000,
} as const;

export type A2aId = string | number;

/** A request, and the parameters of the governed tool that it stands for. */
export type A2aMessage = {
  readonly id: A2aId;
  readonly method: string;
  readonly parameters: JsonObject;
  /** JsonObject of `metadata` that are for the gateway, by their names without `svc/`. */
  readonly own: Readonly<Record<string, string>>;
};

export type A2aFault = { readonly code: number; readonly message: string };

const SENDING: readonly string[] = ['SendMessage', 'SendStreamingMessage'];
const OF_TASKS: readonly string[] = ['GetTask', 'CancelTask', 'SubscribeToTask'];
const LISTING = 'ListTasks';
const OWN = 'svc/';
const OWN_CHARS_MAX = 100;

const splitMetadata = (metadata: JsonObject) => {
  const entries = Object.entries(metadata);
  const own = entries.flatMap(([name, value]) =>
    name.startsWith(OWN) && typeof value === 'string' && value.length <= OWN_CHARS_MAX ? [[name.slice(OWN.length), value] as const] : [],
  );
  return { own: Object.fromEntries(own), rest: Object.fromEntries(entries.filter(([name]) => !name.startsWith(OWN))) };
};

const unknownMethod = (method: string): A2aFault => {
  if (method === 'GetExtendedAgentCard') return { code: A2A_CODES.unsupportedOperation, message: `${method} is not supported here.` };
  return { code: A2A_CODES.methodNotFound, message: 'The method is not supported here.' };
};

export const PUSH_NOT_SUPPORTED: A2aFault = {
  code: A2A_CODES.pushNotSupported,
  message: 'Push notifications are not supported here. Read or follow the task instead.',
};

export const isA2aFault = (read: A2aMessage | A2aFault): read is A2aFault => 'code' in read;

/** Filters of a list of tasks. An empty text is the default of the protocol, as is 0. */
const readFilters = ({ contextId, status, pageSize, pageToken }: JsonObject): JsonObject => {
  const filters = Object.entries({ context_id: contextId, status, page_size: pageSize, page_token: pageToken });
  return Object.fromEntries(filters.filter(([, value]) => value !== undefined && value !== '' && value !== 0 && value !== null));
};

/** Reads a request about push notifications. The decision refuses missing members with their position. */
const readPushParameters = (method: string, { taskId, id, url, token, authentication }: JsonObject): JsonObject => {
  const config = Object.entries({ url, token, authentication }).filter(([, value]) => value !== undefined && value !== '');
  const texts = Object.entries({ task_id: taskId, push_config_id: id }).filter(([, value]) => typeof value === 'string' && value !== '');
  return { method, ...Object.fromEntries(texts), ...(config.length === 0 ? {} : { push_config: Object.fromEntries(config) }) };
};

/** Reads one request of protocol version 1.0. `version` is the value of its header `A2A-Version`. */
export const readA2aMessage = (body: JsonObject, version: string | undefined): A2aMessage | A2aFault => {
  const { jsonrpc, id, method, params = {} } = body;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number'))
    return { code: A2A_CODES.invalidRequest, message: 'The body must be one JSON-RPC 2.0 request with an id.' };
  if (version === undefined || !/^1\.\d{1,4}$/u.test(version))
    return { code: A2A_CODES.versionNotSupported, message: 'The header A2A-Version must be 1.0.' };
  if (!isMembers(params)) return { code: A2A_CODES.invalidParams, message: 'params must be an object.' };
  if (!SENDING.includes(method) && !OF_TASKS.includes(method) && method !== LISTING && !isPushMethod(method)) return unknownMethod(method);
  const { rest, own } = splitMetadata(isMembers(params.metadata) ? params.metadata : {});
  const metadata = Object.keys(rest).length === 0 ? {} : { metadata: rest };
  if (isPushMethod(method)) return { id, method, own, parameters: { ...readPushParameters(method, params), ...metadata } };
  if (OF_TASKS.includes(method)) {
    const { id: taskId, historyLength } = params;
    if (typeof taskId !== 'string' || taskId === '')
      return { code: A2A_CODES.invalidParams, message: 'params.id must be the id of a task.' };
    const history = typeof historyLength === 'number' ? { history_length: historyLength } : {};
    return { id, method, own, parameters: { method, task_id: taskId, ...history, ...metadata } };
  }
  if (method === LISTING) return { id, method, own, parameters: { method, ...readFilters(params), ...metadata } };
  const { message, configuration } = params;
  if (!isMembers(message)) return { code: A2A_CODES.invalidParams, message: 'params.message must be a message.' };
  return { id, method, own, parameters: { method, message, ...(isMembers(configuration) ? { configuration } : {}), ...metadata } };
};

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

export const a2aResult = (id: A2aId, result: JsonObject): JsonObject => ({ jsonrpc: '2.0', id, result });

export const a2aError = (id: A2aId | null, { code, message }: A2aFault): JsonObject => ({ jsonrpc: '2.0', id, error: { code, message } });

/** Contents of an error about a refused request: texts, and the members of the request that are wrong. */
export type RefusalFacts = {
  readonly metadata: Readonly<Record<string, string>>;
  readonly faults?: readonly { readonly pointer: string; readonly message: string }[];
};

/** Builds the error of a refused request, with its code and what to do as ErrorInfo. */
export const createA2aRefusal = (id: A2aId, code: string, message: string, { metadata, faults = [] }: RefusalFacts): JsonObject => {
  const fieldViolations = faults.map(({ pointer, message: description }) => ({ field: pointer, description }));
  const bad = faults.length === 0 ? [] : [{ '@type': BAD_REQUEST, fieldViolations }];
  const info = { '@type': ERROR_INFO, reason: code, domain: 'svc', metadata };
  return { jsonrpc: '2.0', id, error: { code: A2A_CODES.refused, message: `${code}: ${message}`, data: [info, ...bad] } };
};
