import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRun, asRuntime } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { operateRuntime as operate } from '@svc/operations/runtimes/runtimes/operate-runtime.ts';
import type { RuntimesDeps } from '../deps.ts';

export const operateRuntime: Handler<Endpoints['operateRuntime'], RuntimesDeps> = (call) => {
  const { body, params } = call;
  const runId = call.newId('verification_run');
  return call.change(async (change) => {
    const operated = await operate(change, { ...asActing(call), body, runtimeId: params.runtimeId }, runId);
    if (isRefusal(operated)) return operated;
    const { runtime, run, instance } = operated;
    return { runtime: asRuntime(runtime, call.now), gateway: 'STOPPED' as const, instance, run: run && asRun(run) };
  });
};
