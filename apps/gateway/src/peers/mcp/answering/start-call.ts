import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import type { McpAnswer } from '@svc/http/wires/mcp.ts';
import { isDefinitionFault, readDefinition } from '@svc/peers/mcp/definitions/definition.ts';
import { decodeHeaderValue } from '@svc/peers/mcp/front/header-value.ts';
import { errorMessage, progressMessage } from '@svc/peers/mcp/front/messages.ts';
import { type McpMessage, RPC_CODES, type RpcFault, type RpcId } from '@svc/peers/mcp/front/read-request.ts';
import { buildParameterHeaders } from '@svc/peers/mcp/upstream/parameter-headers.ts';
import { findNearestName } from '@svc/policy/values/nearest-name.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { callTool, type McpCall } from './call-tool.ts';
import { type CallMethod, findTarget, isTargetFault } from './find-target.ts';
import type { McpOffer } from './offered-tools.ts';

type Members = Readonly<Record<string, unknown>>;
export type McpRpcRequest = McpMessage & { readonly id: RpcId };

/** Maximum number of names that an unknown one is compared with. */
const COMPARED_MAX = 500;
const { streamAfterMs, progressPerSecondMax } = LIMITS.mcpServers;

export const formatCallFault = (id: RpcId | null, fault: RpcFault): McpAnswer => ({
  status: fault.status,
  message: errorMessage(id, fault),
});

/** Modern clients repeat annotated arguments in headers; a difference would let parts of the path read different requests. */
const parameterFault = (call: McpCall, offered: McpOffer, given: Members): RpcFault | undefined => {
  const definition = readDefinition(offered.tool.mcp.definition);
  if (isDefinitionFault(definition)) return undefined;
  const expected = buildParameterHeaders(definition, given);
  if ('fault' in expected && 'pointer' in expected) return undefined;
  for (const [header, value] of Object.entries(expected)) {
    const repeated = call.header(header);
    if (repeated === undefined || decodeHeaderValue(repeated) !== decodeHeaderValue(value))
      return {
        status: 400,
        code: RPC_CODES.headerMismatch,
        message: `The header ${header} differs from the argument that it repeats.`,
        data: { header },
      };
  }
  return undefined;
};

/** Passes on a number of notifications per second, and drops the rest. */
const newProgressLimit = (): (() => boolean) => {
  let [second, count] = [0, 0];
  return () => {
    const now = Math.floor(performance.now() / 1_000);
    [second, count] = now === second ? [second, count + 1] : [now, 1];
    return count <= progressPerSecondMax;
  };
};

/** Progress notifications, queued for a subscriber. */
const newNotifications = (progressToken: RpcId | undefined, onNotification: () => void) => {
  const mayPass = newProgressLimit();
  const early: Members[] = [];
  let listener: ((message: Members) => void) | undefined;
  return {
    notify: (progress: Members): void => {
      if (progressToken === undefined || !mayPass()) return;
      const message = progressMessage(progressToken, progress);
      if (listener !== undefined) listener(message);
      else if (early.length < progressPerSecondMax) early.push(message);
      onNotification();
    },
    subscribe: (next: (message: Members) => void): void => {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
  };
};

/** Starts the call of a tool, resource or prompt; answers with its result, or with a stream if the call takes longer or reports progress. */
export const startCall = async (
  call: McpCall,
  deps: GatewayDeps,
  request: McpRpcRequest,
  {
    method,
    offered,
    isShown,
  }: { readonly method: CallMethod; readonly offered: readonly McpOffer[]; readonly isShown: (each: McpOffer) => boolean },
): Promise<McpAnswer> => {
  const invalid = (message: string): McpAnswer =>
    formatCallFault(request.id, { status: request.isModern ? 400 : 200, code: RPC_CODES.invalidParams, message });
  const target = findTarget(method, request, offered);
  if (isTargetFault(target)) return invalid(target.fault);
  const { offered: found, name } = target;
  const mismatch = found && method === 'tools/call' && request.isModern ? parameterFault(call, found, target.arguments) : undefined;
  if (mismatch) return formatCallFault(request.id, mismatch);
  const gone = new AbortController();
  const { progressToken } = request;
  // Resolves when the response must become a stream: after a while, or with the first notification.
  const { promise: isLong, resolve: beginStream } = Promise.withResolvers<null>();
  const { notify, subscribe } = newNotifications(progressToken, () => beginStream(null));
  let waited = 0;
  const asked = {
    ...{ id: request.id, message: request, target, signal: gone.signal },
    findNearest: () =>
      findNearestName(
        name,
        offered
          .slice(0, COMPARED_MAX)
          .filter((each) => found?.tool.mcp.offer_kind === undefined || each.tool.mcp.offer_kind === found.tool.mcp.offer_kind)
          .filter(isShown)
          .map((each) => each.name),
      ),
    onProgress: progressToken === undefined ? undefined : (progress: Members) => notify(progress),
    onWaiting: (approvalId: string): void => {
      waited += 1;
      notify({ progress: waited / 1_000, message: `Waits for a person to decide on ${approvalId}.` });
    },
  };
  const work = runOrRefuse(
    () => callTool(call, deps, asked),
    (error) => call.log.error({ err: error, request_id: call.requestId }, 'an MCP call failed'),
  ).then((result) =>
    isRefusal(result) ? errorMessage(request.id, { code: RPC_CODES.internalError, message: 'The service failed. Try again.' }) : result,
  );
  const acceptsStream = call.header('accept')?.includes('text/event-stream') === true;
  const timer = acceptsStream ? setTimeout(beginStream, streamAfterMs, null) : undefined;
  const first = await (acceptsStream ? Promise.race([work, isLong]) : work);
  clearTimeout(timer);
  if (first !== null) return { status: 200, message: first };
  return {
    last: work,
    subscribe,
    cancel: () => gone.abort(),
  };
};
