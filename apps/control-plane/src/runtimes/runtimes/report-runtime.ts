import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRun } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { reportRuntime as report } from '@svc/operations/runtimes/runtimes/report-runtime.ts';
import type { RuntimesDeps } from '../deps.ts';

export const reportRuntime: Handler<Endpoints['reportRuntime'], RuntimesDeps> = (call, { urls }) => {
  const { body, params } = call;
  const id = call.newId('verification_run');
  return call.change(async (change) => {
    const reported = await report(change, { ...asActing(call), body, runtimeId: params.runtimeId }, id, urls);
    return isRefusal(reported) ? reported : { ...reported, accepted_at: call.now.toISOString(), run: asRun(reported.run) };
  });
};
