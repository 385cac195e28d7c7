import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { logout as end } from '@svc/operations/people/auth/logout.ts';
import type { PeopleDeps } from '../deps.ts';

export const logout: Handler<Endpoints['logout'], PeopleDeps> = (call) =>
  call.change((change) =>
    end(change, { ...asActing(call), credentialId: call.caller.credentialId, signInId: call.caller.signInId, body: call.body }),
  );
