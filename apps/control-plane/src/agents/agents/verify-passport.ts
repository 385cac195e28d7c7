import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { verifyPassport as verify } from '@svc/operations/agents/agents/verify-passport.ts';
import type { AgentsDeps } from '../deps.ts';

export const verifyPassport: Handler<Endpoints['verifyPassport'], AgentsDeps> = async (call, { platformKeys }) => {
  // The passport may be signed with a key that another process created after this one started.
  await platformKeys.renew();
  return call.change((change) => verify(change, { ...asActing(call), passport: call.body.passport }, platformKeys));
};
