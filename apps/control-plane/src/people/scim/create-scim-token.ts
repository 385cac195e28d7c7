import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createScimToken as create } from '@svc/operations/people/scim/create-scim-token.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import type { PeopleDeps } from '../deps.ts';

export const createScimToken: Handler<Endpoints['createScimToken'], PeopleDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change((change) => create(change, asActing(call), deps));
};
