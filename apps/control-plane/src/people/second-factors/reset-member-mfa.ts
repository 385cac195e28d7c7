import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { resetMemberMfa as reset } from '@svc/operations/people/second-factors/reset-member-mfa.ts';
import type { PeopleDeps } from '../deps.ts';

export const resetMemberMfa: Handler<Endpoints['resetMemberMfa'], PeopleDeps> = (call, deps) => {
  return call.change((change) =>
    reset(change, { ...asActing(call), memberId: call.params.memberId, sourceIp: call.sourceIp, newId: call.newId }, deps),
  );
};
