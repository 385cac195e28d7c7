import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { requestStepUp as request } from '@svc/operations/people/auth/request-step-up.ts';
import type { PeopleDeps } from '../deps.ts';

const { lifetimeSeconds, pollSeconds } = LIMITS.stepUpRequests;

export const requestStepUp: Handler<Endpoints['requestStepUp'], PeopleDeps> = async (call, { urls, userCodes }) => {
  const { caller, now, sourceIp } = call;
  const value = call.newId('cli_request');
  const session = { organization_id: caller.organizationId, id: caller.credentialId };
  const refused = await call.change((change) => request(change, { session, value, sourceIp, now }));
  if (isRefusal(refused)) return refused;
  return {
    user_code: userCodes.codeOf(value),
    verification_uri: `${urls.base}${buildConsolePath('stepUpRequest')}?session_id=${session.id}`,
    poll_after_seconds: pollSeconds,
    expires_at: new Date(now.getTime() + lifetimeSeconds * 1000).toISOString(),
  };
};
