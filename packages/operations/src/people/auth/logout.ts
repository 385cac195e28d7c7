import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { endSignIn, revokeSession } from '@svc/postgres/people/sessions/sessions.ts';
import type { CallContext } from './acting.ts';

type LogoutRequest = CallContext & {
  readonly credentialId: string;
  readonly signInId: string | null;
  readonly body: EndpointBody<Endpoints['logout']>;
};

export const logout = async ({ tx, emit }: Change<'user.logged_out'>, request: LogoutRequest) => {
  const { now, body, scope, credentialId, signInId, actor } = request;
  const session = { organization_id: scope.organization_id, id: credentialId };
  // A concurrent second request finds it ended already, and records nothing.
  if (await revokeSession(tx, session, now)) {
    const withTerminals = body.terminals ?? false;
    await endSignIn(tx, session, { id: signInId ?? session.id, withTerminals }, now);
    emit('user.logged_out', { ...about.user(actor), data: { session_id: session.id, terminals: withTerminals } });
  }
  return { revoked: true };
};
