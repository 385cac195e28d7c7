import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { revokeApiKey as revoke } from '@svc/operations/people/api-keys/revoke-api-key.ts';
import type { PeopleDeps } from '../deps.ts';

export const revokeApiKey: Handler<Endpoints['revokeApiKey'], PeopleDeps> = (call) => {
  return call.change((change) => revoke(change, { ...asActing(call), apiKeyId: call.params.apiKeyId }));
};
