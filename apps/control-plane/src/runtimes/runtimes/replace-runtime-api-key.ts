import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRuntime } from '@svc/operations/runtimes/runtimes/as-runtime.ts';
import { replaceApiKey } from '@svc/operations/runtimes/runtimes/instance/replace-api-key.ts';
import type { RuntimesDeps } from '../deps.ts';

type Replace = Endpoints['replaceRuntimeApiKey'];

export const replaceRuntimeApiKey: Handler<Replace, RuntimesDeps> = (call, { instances, credentialKey, urls }) => {
  // The rest may wait for an instance of a third party.
  call.onCall();
  return instances.inTurn(call.scope.organization_id, async () => {
    const request = { ...asActing(call), body: call.body, runtimeId: call.params.runtimeId };
    const replaced = await replaceApiKey((work) => call.change(work) as ReturnType<typeof work>, request, {
      ...{ egress: instances.egress, credentialKey, urls },
    });
    return isRefusal(replaced) ? (replaced as ReturnType<typeof call.refuse>) : asRuntime(replaced, call.now);
  });
};
