import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endPreviousSecret as end } from '@svc/operations/people/api-keys/end-previous-secret.ts';
import type { PeopleDeps } from '../deps.ts';

export const endPreviousSecret: Handler<Endpoints['endPreviousSecret'], PeopleDeps> = (call) =>
  call.change((change) => end(change, { ...asActing(call), apiKeyId: call.params.apiKeyId }));
