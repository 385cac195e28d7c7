import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRuntime } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { updateRuntime as update } from '@svc/operations/runtimes/runtimes/update-runtime.ts';
import type { RuntimesDeps } from '../deps.ts';
import { TAKEN } from './names/name-taken.ts';

export const updateRuntime: Handler<Endpoints['updateRuntime'], RuntimesDeps> = (call) => {
  const { body, caller, params } = call;
  return call.change(
    async (change) => {
      const request = { ...asActing(call), body, runtimeId: params.runtimeId, steppedUpUntil: caller.steppedUpUntil };
      const updated = await update(change, request);
      return isRefusal(updated) ? updated : asRuntime(updated, call.now);
    },
    { runtimes_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN) },
  );
};
