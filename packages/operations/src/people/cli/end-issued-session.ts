import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { type Change, keep } from '@svc/postgres/change/change.ts';
import { endSignIn, revokeSession } from '@svc/postgres/people/sessions/sessions.ts';
import { CLI_REQUEST_USED } from './issue-cli-session.ts';

type EndIssuedSessionRequest = {
  readonly session: { readonly organization_id: string; readonly id: string };
  readonly userId: string;
  readonly requestId: string;
  readonly now: Date;
};

/**
 * Ends the session of a command-line request that is redeemed twice. Two clients then know its verifier and code, and it is unknown which
 * of them has the session (RFC 6749, section 4.1.2). A terminal that lost the response leaves no session behind.
 */
export const endIssuedSession = async (
  { tx, emit }: Change<'session.revoked'>,
  { session, userId, requestId, now }: EndIssuedSessionRequest,
) => {
  if (!(await revokeSession(tx, session, now))) return CLI_REQUEST_USED;
  await endSignIn(tx, session, { id: session.id, withTerminals: true }, now);
  emit('session.revoked', { ...about.session(session, EVERYWHERE), data: { user_id: userId, request_id: requestId } });
  return keep(CLI_REQUEST_USED);
};
