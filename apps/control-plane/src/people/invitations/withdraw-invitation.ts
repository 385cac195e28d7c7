import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { withdrawInvitation as withdraw } from '@svc/operations/people/invitations/withdraw-invitation.ts';
import type { PeopleDeps } from '../deps.ts';

export const withdrawInvitation: Handler<Endpoints['withdrawInvitation'], PeopleDeps> = (call, deps) => {
  const { change } = call;
  return change((change) => withdraw(change, { ...asActing(call), invitationId: call.params.invitationId }, deps));
};
