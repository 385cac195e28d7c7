import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endOtherSessions as endOthers } from '@svc/operations/people/sessions/end-other-sessions.ts';
import type { PeopleDeps } from '../deps.ts';

export const endOtherSessions: Handler<Endpoints['endOtherSessions'], PeopleDeps> = (call) => {
  const { caller } = call;
  const request = { ...asActing(call), sessionId: caller.credentialId, only: findOnlyOrganization(caller) };
  return call.change((change) => endOthers(change, request));
};
