import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { revokeScimToken as revoke } from '@svc/operations/people/scim/revoke-scim-token.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import type { PeopleDeps } from '../deps.ts';

export const revokeScimToken: Handler<Endpoints['revokeScimToken'], PeopleDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change((change) => revoke(change, asActing(call), deps));
};
