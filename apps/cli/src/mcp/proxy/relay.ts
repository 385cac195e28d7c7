import { GovernanceError } from '@svc/sdk/wire/errors.ts';
import {
  deriveIdKey,
  errorMessage,
  type Id,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isId,
  METHOD_NOT_FOUND,
  newMessage,
  readParams,
  SERVER_BUSY,
  type StdioMessage,
} from '@svc/stdio/messages/message.ts';
import { NoAnswer } from '@svc/stdio/messages/server-link.ts';
import { isObject } from '../../files/json-file.ts';
import { type CallDeps, callTool } from './call-tool.ts';
import { type Allowed, keepClientCapabilities, keepServerCapabilities, mayClientRequest, mayServerRequest } from './capabilities.ts';
import { keepTools } from './definitions.ts';

export type RelayDeps = CallDeps & { readonly allowed: Allowed; readonly pendingMax: number };

/** Passes messages between a client and a server, and decides each call of a tool before the server gets it. */
export type Relay = {
  readonly fromClient: (message: StdioMessage) => Promise<void>;
  readonly fromServer: (message: StdioMessage) => void;
  /** Waits until no request is pending. */
  readonly settled: () => Promise<unknown>;
  /** The server ended: nothing that waits for it is answered by it. */
  readonly close: () => void;
};

const DESCRIBING: readonly string[] = ['initialize', 'server/discover'];

/** The message with the capabilities of the client that the server may use. */
const withCapabilities = (message: StdioMessage, allowed: Allowed): StdioMessage => {
  const params = readParams(message.value);
  const kept = keepClientCapabilities(params, allowed);
  return JSON.stringify(kept) === JSON.stringify(params) ? message : newMessage({ ...message.value, params: kept });
};

/** The answer of the server as the client may see it. */
const adaptAnswer = async ({ tools, allowed }: RelayDeps, method: string, answer: StdioMessage): Promise<StdioMessage> => {
  const { result } = answer.value;
  if (!isObject(result)) return answer;
  if (DESCRIBING.includes(method)) return newMessage({ ...answer.value, result: keepServerCapabilities(result, allowed) });
  if (method !== 'tools/list' || !Array.isArray(result.tools)) return answer;
  tools.learn(result.tools);
  await tools.refresh();
  const line = keepTools(answer.line, tools.isListed);
  return { ...answer, line };
};

const requestFailure = (id: Id, error: unknown): StdioMessage | undefined => {
  if (error instanceof GovernanceError) return errorMessage(id, INTERNAL_ERROR, `${error.code}: ${error.message} ${error.nextStep}`);
  if (!(error instanceof NoAnswer)) return undefined;
  return errorMessage(id, INTERNAL_ERROR, error.reason === 'TIMEOUT' ? 'The server did not answer in time.' : 'The server ended.');
};

type Active = Map<string, AbortController>;

const faultOfRequest = (deps: RelayDeps, active: Active, id: Id, method: string): StdioMessage | undefined => {
  if (active.has(deriveIdKey(id)) || deps.link.isPending(id)) return errorMessage(id, INVALID_PARAMS, 'A request with this id is pending.');
  if (active.size >= deps.pendingMax) return errorMessage(id, SERVER_BUSY, `${deps.pendingMax} requests are pending. Wait for one to end.`);
  if (!mayClientRequest(deps.allowed, method))
    return errorMessage(
      id,
      METHOD_NOT_FOUND,
      `${method.slice(0, 100)} is not available through the proxy. A person may allow it with --allow.`,
    );
  return undefined;
};

const answerCall = async (deps: RelayDeps, id: Id, message: StdioMessage, signal: AbortSignal): Promise<StdioMessage | undefined> => {
  const { name, arguments: given = {}, task } = readParams(message.value);
  if (typeof name !== 'string' || !isObject(given))
    return errorMessage(id, INVALID_PARAMS, 'name must be a text, and arguments an object.');
  if (task !== undefined) return errorMessage(id, INVALID_PARAMS, 'Calls as tasks are not available through the proxy.');
  return callTool(deps, { id, name, given, message: withCapabilities(message, deps.allowed), signal });
};

const answerRequest = async (deps: RelayDeps, active: Active, id: Id, method: string, message: StdioMessage): Promise<void> => {
  const fault = faultOfRequest(deps, active, id, method);
  if (fault !== undefined) return deps.toClient(fault);
  const controller = new AbortController();
  active.set(deriveIdKey(id), controller);
  try {
    const answer =
      method === 'tools/call'
        ? await answerCall(deps, id, message, controller.signal)
        : await adaptAnswer(deps, method, await deps.link.request(id, withCapabilities(message, deps.allowed)));
    if (answer !== undefined && !controller.signal.aborted) deps.toClient(answer);
  } catch (error) {
    if (controller.signal.aborted) return;
    const failure = requestFailure(id, error);
    if (failure === undefined) throw error;
    deps.toClient(failure);
  } finally {
    active.delete(deriveIdKey(id));
  }
};

/** Requests of the server that the client answers, at most this many at once. */
const SERVER_REQUESTS_MAX = 64;

export const newRelay = (deps: RelayDeps): Relay => {
  const { link, toClient, tools, allowed } = deps;
  const active: Active = new Map();
  const asked = new Set<string>();
  const work = new Set<Promise<void>>();

  const cancel = (message: StdioMessage): void => {
    const { requestId } = readParams(message.value);
    if (!isId(requestId)) return;
    if (link.isPending(requestId)) link.send(message);
    active.get(deriveIdKey(requestId))?.abort();
    link.cancel(requestId);
  };

  const fromClient = async (message: StdioMessage): Promise<void> => {
    const { id, method } = message.value;
    if (typeof method !== 'string') {
      if (isId(id) && asked.delete(deriveIdKey(id))) link.send(message);
      return;
    }
    if (isId(id)) {
      const answered = answerRequest(deps, active, id, method, message).finally(() => work.delete(answered));
      work.add(answered);
      return answered;
    }
    if (method === 'notifications/cancelled') return cancel(message);
    if (method.startsWith('notifications/')) link.send(message);
  };

  const fromServer = (message: StdioMessage): void => {
    const { id, method } = message.value;
    if (typeof method !== 'string') {
      // An answer that no request waits for could be a forged answer to a call that is being decided.
      if (!link.answer(message)) deps.note('The server answered a request that was not sent to it. The answer is dropped.');
      return;
    }
    if (!isId(id)) {
      if (method === 'notifications/tools/list_changed') tools.forget();
      toClient(message);
      return;
    }
    if (asked.size < SERVER_REQUESTS_MAX && mayServerRequest(allowed, method)) {
      asked.add(deriveIdKey(id));
      toClient(message);
      return;
    }
    link.send(errorMessage(id, METHOD_NOT_FOUND, `${method.slice(0, 100)} is not allowed here.`));
  };
  return { fromClient, fromServer, settled: () => Promise.allSettled(work), close: link.close };
};
