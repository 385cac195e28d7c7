import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { refuseWithoutMail } from '@svc/operations/people/mail/mail-service.ts';
import { resetMemberPassword as reset } from '@svc/operations/people/members/reset-member-password.ts';
import type { PeopleDeps } from '../deps.ts';

export const resetMemberPassword: Handler<Endpoints['resetMemberPassword'], PeopleDeps> = async (call, deps) => {
  const unable = refuseWithoutMail(deps.mail);
  if (unable) return unable;
  return call.change((change) =>
    reset(
      change,
      {
        ...asActing(call),
        memberId: call.params.memberId,
        organizationName: call.caller.organizationName,
        sourceIp: call.sourceIp,
        newId: call.newId,
      },
      deps,
    ),
  );
};
