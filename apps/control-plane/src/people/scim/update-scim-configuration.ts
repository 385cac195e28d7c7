import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateScimConfiguration as update } from '@svc/operations/people/scim/update-scim-configuration.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import type { PeopleDeps } from '../deps.ts';

export const updateScimConfiguration: Handler<Endpoints['updateScimConfiguration'], PeopleDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change((change) => update(change, { ...asActing(call), body: call.body }, deps));
};
