import { buildNotificationsPath, PUSH_METHODS } from '@svc/domain/peers/a2a/push-notifications.ts';
import type { McpResult } from '@svc/enforcement/ports/execution-results.ts';
import type { ExecutionCall } from '@svc/enforcement/ports/executors.ts';
import type { A2aPushConfigs, OpenedPush, PushConfig } from '@svc/operations/peers/a2a/a2a-push-configs.ts';

type A2aCall = ExecutionCall<'a2a'>;
type Members = Readonly<Record<string, unknown>>;

/** Push configs, and the address of this gateway that remote agents send notifications to. */
export type PushRequests = { readonly configs: A2aPushConfigs; readonly origin: () => string };

const buildUrl = ({ origin }: PushRequests, { connection_id }: A2aCall): string => origin() + buildNotificationsPath(connection_id);

/** Adds the address of the gateway and the token of a push config to the parameters of a request. */
const addPush = (push: PushRequests, call: A2aCall, { id, token }: OpenedPush): Members => {
  const config = { id, url: buildUrl(push, call), token };
  if (call.method === PUSH_METHODS.create) return { ...call.params, ...config };
  return { ...call.params, configuration: { ...(call.params.configuration as Members | undefined), taskPushNotificationConfig: config } };
};

/** Formats a push config for the agent or the partner that asked for it: without its token. */
const formatPush = (push: PushRequests, call: A2aCall, { id, targetUrl }: Pick<PushConfig, 'id' | 'targetUrl'>): Members => ({
  id,
  taskId: call.task_id,
  url: targetUrl ?? buildUrl(push, call),
});

const FACTS = { status: 0, bytes: 0, duration_ms: 0 } as const;
const NOT_FOUND = { error: { code: -32_001, message: 'There is no such push config of this task.' } };

const returned = (result: Members): McpResult => ({ kind: 'returned', result, isError: false, ...FACTS });

/** Answers the methods that read or delete push configs, from the record of the gateway; undefined for all other methods. */
export const answerPushMethod = async (push: PushRequests, call: A2aCall): Promise<McpResult | undefined> => {
  const { method, params, task_id } = call;
  if (task_id === null || (method !== PUSH_METHODS.get && method !== PUSH_METHODS.list && method !== PUSH_METHODS.delete)) return undefined;
  const known = await push.configs.list(call, task_id);
  if (method === PUSH_METHODS.list) return returned({ configs: known.map((each) => formatPush(push, call, each)), nextPageToken: '' });
  const found = known.find(({ id }) => id === params.id);
  if (found === undefined) return { kind: 'returned', result: NOT_FOUND, isError: true, ...FACTS };
  if (method === PUSH_METHODS.get) return returned(formatPush(push, call, found));
  await push.configs.close(call, found.id);
  return returned({});
};

/** Creates the push config that a call asks for. Returns the parameters to send; undefined if there are too many push configs. */
export const openPush = async (
  push: PushRequests,
  call: A2aCall,
): Promise<{ readonly params: Members; readonly pushId?: string } | undefined> => {
  if (!call.wants_push) return { params: call.params };
  const opened = await push.configs.open(call, call.task_id);
  return opened && { params: addPush(push, call, opened), pushId: opened.id };
};

const isAccepted = (result: McpResult): boolean => result.kind === 'returned' && !result.isError;

/** Binds a push config to the task of the answer, or deletes it if there is none. */
export const settlePush = async (
  push: PushRequests,
  call: A2aCall,
  pushId: string | undefined,
  result: McpResult,
  taskId: string | null,
): Promise<void> => {
  if (pushId === undefined) return;
  await (isAccepted(result) && taskId !== null ? push.configs.bind(call, pushId, taskId) : push.configs.close(call, pushId));
};

/** Replaces the answer to a created push config, which contains the token. */
export const hidePushToken = (push: PushRequests, call: A2aCall, pushId: string | undefined, result: McpResult): McpResult =>
  pushId !== undefined && call.method === PUSH_METHODS.create && result.kind === 'returned' && !result.isError
    ? { ...result, result: formatPush(push, call, { id: pushId, targetUrl: undefined }) }
    : result;
