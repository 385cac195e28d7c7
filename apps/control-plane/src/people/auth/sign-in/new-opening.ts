import type { Opening } from '@svc/operations/people/auth/open-session.ts';
import type { PeopleSettings } from '../../deps.ts';

type Request = Pick<Opening, 'now' | 'sourceIp' | 'userAgent'> & { readonly newId: (noun: 'session') => string };

/** Creates a session that begins a sign-in, so it has the full lifetime. */
export const newOpening = (
  { now, sourceIp, userAgent, newId }: Request,
  { sessionLifetimeSeconds }: Pick<PeopleSettings, 'sessionLifetimeSeconds'>,
): Opening => ({
  id: newId('session'),
  expiresAt: new Date(now.getTime() + sessionLifetimeSeconds * 1000),
  signInId: null,
  approvedBySignInId: null,
  now,
  sourceIp,
  userAgent,
});
