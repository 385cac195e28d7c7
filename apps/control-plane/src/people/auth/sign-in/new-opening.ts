import type { Opening } from '@svc/operations/people/auth/open-session.ts';
import type { PeopleSettings } from '../../deps.ts';

type Request = Pick<Opening, 'now' | 'sourceIp' | 'userAgent'> & { readonly newId: (noun: 'session') => string };

/** A session that begins a sign-in, and so lives as long as one may. */
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
