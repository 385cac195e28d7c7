import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { inviteMember as invite } from '@svc/operations/people/invitations/invite-member.ts';
import { refuseWithoutMail } from '@svc/operations/people/mail/mail-service.ts';
import type { PeopleDeps } from '../deps.ts';

export const inviteMember: Handler<Endpoints['inviteMember'], PeopleDeps> = async (call, deps) => {
  const withoutMail = refuseWithoutMail(deps.mail);
  if (withoutMail) return withoutMail;
  const email = call.body.email.toLowerCase();
  const id = call.newId('invitation');
  return call.change(
    (change) =>
      invite(
        change,
        { ...asActing(call), body: call.body, sourceIp: call.sourceIp, newId: call.newId, organizationName: call.caller.organizationName },
        email,
        deps,
        id,
      ),
    {
      invitations_are_once_per_address: () =>
        call.refuse(
          'ALREADY_EXISTS',
          'This address is invited already: send that invitation again (GET /v1/members/invitations, POST …/resend), or withdraw it first.',
        ),
    },
  );
};
