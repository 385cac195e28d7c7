import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { rotateApiKey as rotate } from '@svc/operations/people/api-keys/rotate-api-key.ts';
import type { PeopleDeps } from '../deps.ts';

export const rotateApiKey: Handler<Endpoints['rotateApiKey'], PeopleDeps> = (call) => {
  return call.change((change) =>
    rotate(change, {
      ...asActing(call),
      apiKeyId: call.params.apiKeyId,
      lacks: call.lacks,
      credentialId: call.caller.credentialId,
      body: call.body,
    }),
  );
};
