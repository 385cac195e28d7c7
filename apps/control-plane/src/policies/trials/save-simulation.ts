import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { saveSimulation as save } from '@svc/operations/policies/policies/save-simulation.ts';
import type { PoliciesDeps } from '../deps.ts';
import { simulateRequest } from './simulating/simulate-request.ts';

/** Simulates a request and records it with its decision. Nothing of the request is executed, counted or leased. */
export const saveSimulation: Handler<Endpoints['saveSimulation'], PoliciesDeps> = async (call, deps) => {
  const { name, ...request } = call.body;
  const { scope, requestId, params } = call;
  const decision = await simulateRequest({ ...call, body: request }, deps);
  if (isRefusal(decision)) return decision;
  const { policyId } = params;
  return await call.change((change) => save(change, { scope, policyId, name, request, decision, requestId }));
};
