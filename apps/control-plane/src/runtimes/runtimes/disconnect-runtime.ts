import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRuntime } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { disconnectRuntime as disconnect } from '@svc/operations/runtimes/runtimes/disconnect-runtime.ts';
import type { RuntimesDeps } from '../deps.ts';

export const disconnectRuntime: Handler<Endpoints['disconnectRuntime'], RuntimesDeps> = (call) => {
  const { body, params } = call;
  return call.change(async (change) => {
    const disconnected = await disconnect(change, { ...asActing(call), body, runtimeId: params.runtimeId });
    if (isRefusal(disconnected)) return disconnected;
    const runtime = asRuntime(disconnected, call.now);
    const isRefused = runtime.enforcement.refuses_agents && runtime.agent_id !== null;
    return { runtime, refused_agents: isRefused && runtime.agent_id !== null ? [runtime.agent_id] : [] };
  });
};
