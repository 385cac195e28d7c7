import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRun } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { startVerification } from '@svc/operations/runtimes/runtimes/verification/start-verification.ts';
import type { RuntimesDeps } from '../deps.ts';

export const verifyRuntime: Handler<Endpoints['verifyRuntime'], RuntimesDeps> = (call, { urls }) => {
  const { body, params } = call;
  const id = call.newId('verification_run');
  return call.change(async (change) => {
    const request = { ...asActing(call), body, runtimeId: params.runtimeId, trigger: 'MANUAL' as const };
    const run = await startVerification(change, request, id, urls);
    return isRefusal(run) ? run : asRun(run);
  });
};
