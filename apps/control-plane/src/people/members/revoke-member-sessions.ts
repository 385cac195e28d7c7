import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { revokeMemberSessions as revoke } from '@svc/operations/people/members/revoke-member-sessions.ts';
import type { PeopleDeps } from '../deps.ts';

export const revokeMemberSessions: Handler<Endpoints['revokeMemberSessions'], PeopleDeps> = (call) =>
  call.change((change) => revoke(change, { ...asActing(call), memberId: call.params.memberId }));
