import type { ServiceError } from '@svc/client/errors.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from './client.ts';
import { useResumeSession } from './resume-session.ts';
import { type Session, signInFirst } from './session.ts';
import { fetchOperation, queries } from './use-operation.ts';

const KEY = ['session'];
const FRESH_MS = 60_000;
const UNAUTHORIZED = 401;

type Known = { readonly session: Session; readonly mustEnrol: boolean };

const load = async (): Promise<Known> => {
  const [session, factors] = await Promise.all([fetchOperation('getSession', {}), client.request('getMfa')]);
  return { session: session.body, mustEnrol: factors.ok && factors.body.required };
};

/** The session that the pages show; undefined before it is read. */
export const getKnownSession = (): Session | undefined => queries.getQueryData<Known>(KEY)?.session;

/** Reads the session again, after a change of what it may do. */
export const refreshSession = (): Promise<void> => queries.invalidateQueries({ queryKey: KEY });

type SessionState = { readonly session?: Session; readonly mustEnrol?: boolean; readonly error?: ServiceError };

/**
 * The session of the person who looks at the page, shared by all pages. People without one are sent to the sign-in page; people whose session
 * ended while a page was open sign in again in another tab, so that the page keeps what they entered; people who must
 * enrol a second factor first to that page, unless they are there.
 */
export const useSession = (isEnrolling: boolean): SessionState => {
  const { data, error } = useQuery<Known, ServiceError>({ queryKey: KEY, queryFn: load, staleTime: FRESH_MS });
  const isSignedOut = error?.status === UNAUTHORIZED;
  const isSentToEnrol = data?.mustEnrol === true && !isEnrolling;
  const resumeSession = useResumeSession();
  const isKnown = data !== undefined;
  useEffect(() => {
    if (isSignedOut && !isKnown) signInFirst();
    else if (isSignedOut) void resumeSession().then((isResumed) => isResumed || signInFirst());
    else if (isSentToEnrol) location.replace(buildConsolePath('secondFactors'));
  }, [isSignedOut, isKnown, isSentToEnrol, resumeSession]);
  if ((isSignedOut && !isKnown) || isSentToEnrol) return {};
  return { ...(data ?? {}), ...(error && !data ? { error } : {}) };
};
