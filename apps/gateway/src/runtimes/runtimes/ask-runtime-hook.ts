import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { askHook } from '@svc/operations/runtimes/runtimes/ask-hook.ts';
import type { GatewayDeps } from '../../deps.ts';

/** A refusal is stored before it is answered. */
export const askRuntimeHook: Handler<Endpoints['askRuntimeHook'], GatewayDeps> = async (call) => {
  const { organizationId, agentId } = call.agent;
  const caller = { organizationId, agentId, runtimeId: call.params.runtimeId, now: call.now };
  const decided = await call.change((change) => askHook(change, caller, call.body));
  return decided.permitted ? { permitted: true as const, cache_seconds: LIMITS.runtimeHooks.cacheSeconds } : decided.because;
};
