import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { findUsableConnection } from '@svc/postgres/people/sso/find-connection.ts';
import type { PeopleDeps } from '../deps.ts';
import { begin, isBegun } from './sign-in/begin.ts';

/**
 * Starts linking an identity. The response gives the browser a secret to present on its return, so that no other browser can complete the
 * attempt (CSRF).
 */
export const linkIdentity: Handler<Endpoints['linkIdentity'], PeopleDeps> = async (call, deps) => {
  const { caller, now } = call;
  if (!hasFreshStepUp(caller, now)) return stepUpRefusal(caller);
  const connection = await findUsableConnection(deps.identity, { connection_id: call.body.connection_id });
  if (connection?.organization_id !== caller.organizationId) return call.refuse('NOT_FOUND', 'There is no such connection that is active.');
  const linking = { link_user_id: caller.actor.id, link_session_id: caller.credentialId, return_to: buildConsolePath('identities'), now };
  const begun = await begin(deps, connection, linking);
  if (!isBegun(begun)) return call.refuse('DEPENDENCY_UNAVAILABLE', begun.fault);
  call.setCookie(begun.cookie);
  return { authorization_url: begun.url, expires_at: new Date(now.getTime() + LIMITS.sso.attemptSeconds * 1000).toISOString() };
};
