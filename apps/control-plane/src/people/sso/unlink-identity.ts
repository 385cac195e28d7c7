import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { unlinkIdentity as unlink } from '@svc/operations/people/sso/unlink-identity.ts';
import type { PeopleDeps } from '../deps.ts';

export const unlinkIdentity: Handler<Endpoints['unlinkIdentity'], PeopleDeps> = (call, { identity: identityRole }) =>
  call.change((change) => unlink(change, { ...asActing(call), identityId: call.params.identityId }, identityRole));
