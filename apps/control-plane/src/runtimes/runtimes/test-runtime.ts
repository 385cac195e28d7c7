import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { testRuntime as test } from '@svc/operations/runtimes/runtimes/instance/test-runtime.ts';
import type { RuntimesDeps } from '../deps.ts';

export const testRuntime: Handler<Endpoints['testRuntime'], RuntimesDeps> = (call, { instances, credentialKey, urls }) => {
  call.onCall();
  return instances.inTurn(call.scope.organization_id, async () => {
    const request = { ...asActing(call), runtimeId: call.params.runtimeId };
    const tested = await test((work) => call.change(work) as ReturnType<typeof work>, request, {
      ...{ egress: instances.egress, credentialKey, urls },
    });
    return isRefusal(tested) ? (tested as ReturnType<typeof call.refuse>) : tested;
  });
};
