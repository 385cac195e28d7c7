import { buildNotificationsPath, isPushMethod, PUSH_METHODS } from '@svc/domain/peers/a2a/push-notifications.ts';
import { isUriOfTemplate } from '@svc/domain/peers/mcp/uri-template.ts';
import { type Destination, parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { type Faults, isFaults } from '@svc/domain/tools/fault.ts';
import { buildExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';
import type { CallRequest } from '../facts/call-request.ts';
import type { A2aSnapshot, ToolSnapshot } from '../facts/snapshots.ts';

const TASK_METHODS: readonly unknown[] = ['GetTask', 'CancelTask', 'SubscribeToTask'];
const MESSAGE_METHODS: readonly unknown[] = ['SendMessage', 'SendStreamingMessage'];

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wrong = (pointer: string, message: string): Faults => ({ faults: [{ pointer: `/parameters${pointer}`, message }] });

const NOT_SENT = 'must not ask for push notifications: the remote agent does not state that it sends them';

/** Returns why the gateway cannot request these push notifications; undefined if it can. It sends its own address and token instead. */
const findPushFault = ({ connection_id, push_notifications }: A2aSnapshot, config: unknown, pointer: string): Faults | undefined => {
  if (!push_notifications) return wrong(pointer, NOT_SENT);
  if (!isMembers(config)) return wrong(pointer, 'must be a push config');
  const { url, token, authentication } = config;
  const path = buildNotificationsPath(connection_id);
  if (typeof url !== 'string' || !URL.canParse(url) || !url.endsWith(path))
    return wrong(`${pointer}/url`, `must be ${path} of the gateway, which receives the push notifications. Read the task there`);
  const own = ['token', 'authentication'].find((name) => ({ token, authentication })[name] !== undefined && config[name] !== '');
  return own === undefined ? undefined : wrong(`${pointer}/${own}`, 'must be left out: the gateway creates the token');
};

/** Builds a request about the push notifications of a task. */
const buildPushCall = (
  a2a: A2aSnapshot,
  common: Readonly<Record<string, unknown>>,
  { method, task_id, push_config, push_config_id }: Readonly<Record<string, unknown>>,
): Omit<CallRequest<'a2a'>, 'kind' | 'url' | 'connection_id'> | Faults => {
  if (!a2a.push_notifications) return wrong('/method', NOT_SENT);
  if (typeof task_id !== 'string') return wrong('/task_id', 'must be the id of a task');
  const request = { method: String(method), task_id, params: { ...common, taskId: task_id } };
  if (method === PUSH_METHODS.create) return findPushFault(a2a, push_config, '/push_config') ?? { ...request, wants_push: true };
  if (method === PUSH_METHODS.list) return request;
  if (typeof push_config_id !== 'string') return wrong('/push_config_id', 'must be the id of a push config');
  return { ...request, params: { ...request.params, id: push_config_id } };
};

/** Splits a configuration into the requested push notifications and the rest. */
const splitConfiguration = ({ taskPushNotificationConfig, ...rest }: Readonly<Record<string, unknown>>) => ({
  push: taskPushNotificationConfig,
  rest,
});

/** Builds the request to a remote agent. A message continues a task if it names one. */
const buildA2aCall = (a2a: A2aSnapshot, parameters: Readonly<Record<string, unknown>>): CallRequest | Faults => {
  const { connection_id, url, tenant } = a2a;
  const { method, message, configuration, metadata, task_id, history_length, context_id, status, page_size, page_token } = parameters;
  if (url === null) return wrong('', 'cannot be sent: no card of the remote agent was verified');
  const common = { ...(tenant === null ? {} : { tenant }), ...(metadata === undefined ? {} : { metadata }) };
  const request = { kind: 'a2a', url, connection_id } as const;
  if (TASK_METHODS.includes(method)) {
    if (typeof task_id !== 'string') return wrong('/task_id', 'must be the id of a task');
    const history = method === 'GetTask' && history_length !== undefined ? { historyLength: history_length } : {};
    return { ...request, method: String(method), task_id, params: { ...common, id: task_id, ...history } };
  }
  if (isPushMethod(method)) {
    const built = buildPushCall(a2a, common, parameters);
    return isFaults(built) ? built : { ...request, ...built };
  }
  if (method === 'ListTasks') {
    const filters = { contextId: context_id, status, pageSize: page_size, pageToken: page_token };
    return { ...request, method, task_id: null, params: { ...common, ...filters } };
  }
  if (!MESSAGE_METHODS.includes(method)) return wrong('/method', 'must be a method of Agent2Agent');
  if (!isMembers(message)) return wrong('/message', 'must be a message');
  const { push, rest } = splitConfiguration(isMembers(configuration) ? configuration : {});
  // Programs accept several spellings of a member, and no other one is replaced.
  if (Object.keys(rest).some((name) => /push_?notification/i.test(name)))
    return wrong('/configuration', 'must not register push notifications: they would go around the gateway');
  const fault = push === undefined ? undefined : findPushFault(a2a, push, '/configuration/taskPushNotificationConfig');
  if (fault !== undefined) return fault;
  const { taskId = null } = message;
  if (taskId !== null && typeof taskId !== 'string') return wrong('/message/taskId', 'must be the id of a task');
  const sent = { ...common, message, ...(configuration === undefined ? {} : { configuration: rest }) };
  const wanted = push === undefined ? {} : ({ wants_push: true } as const);
  return { ...request, method: String(method), task_id: taskId === '' ? null : taskId, params: sent, ...wanted };
};

/** Builds the call that a tool makes with these parameters; null if the agent runs the tool itself. Faults point at or below `/parameters`. */
export const buildCall = (
  { execution, mcp, a2a }: Pick<ToolSnapshot, 'execution' | 'mcp' | 'a2a'>,
  parameters: Readonly<Record<string, unknown>>,
): CallRequest | Faults | null => {
  if (mcp !== null) {
    const { url, server_id, era, protocol_version, offer_kind, upstream_name: name, definition, timeout_ms } = mcp;
    if (offer_kind === 'RESOURCE_TEMPLATE' && !isUriOfTemplate(name, parameters.uri))
      return wrong('/uri', `must be an address of the form ${name}, without "." and ".." between its slashes`);
    return { kind: 'mcp', url, server_id, era, protocol_version, offer_kind, name, arguments: parameters, definition, timeout_ms };
  }
  if (a2a !== null) return buildA2aCall(a2a, parameters);
  if (execution === null) return null;
  const request = buildExecutionRequest(execution, parameters);
  return isFaults(request) ? request : { kind: 'http', ...request };
};

/** Returns where a call goes. */
export const callDestination = ({ url }: CallRequest): Destination | { readonly fault: string } => parseDestination(url);
