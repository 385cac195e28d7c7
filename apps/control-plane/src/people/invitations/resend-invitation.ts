import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { resendInvitation as resend } from '@svc/operations/people/invitations/resend-invitation.ts';
import { refuseWithoutMail } from '@svc/operations/people/mail/mail-service.ts';
import type { PeopleDeps } from '../deps.ts';

export const resendInvitation: Handler<Endpoints['resendInvitation'], PeopleDeps> = async (call, deps) => {
  const withoutMail = refuseWithoutMail(deps.mail);
  if (withoutMail) return withoutMail;
  return call.change((change) =>
    resend(
      change,
      {
        ...asActing(call),
        organizationName: call.caller.organizationName,
        invitationId: call.params.invitationId,
        sourceIp: call.sourceIp,
        newId: call.newId,
      },
      deps,
    ),
  );
};
