import type { ServiceError } from '@svc/client/errors.ts';
import { consolePath } from '@svc/contract/tables/console-routes.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from './client.ts';
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

/** Reads the session again, after a change of what it may do. */
export const refreshSession = (): Promise<void> => queries.invalidateQueries({ queryKey: KEY });

type SessionState = { readonly session?: Session; readonly mustEnrol?: boolean; readonly error?: ServiceError };

/**
 * The session of the person who looks at the page, shared by all pages. People without one are sent to the sign-in page; people who must
 * enrol a second factor first to that page, unless they are there.
 */
export const useSession = (isEnrolling: boolean): SessionState => {
  const { data, error } = useQuery<Known, ServiceError>({ queryKey: KEY, queryFn: load, staleTime: FRESH_MS });
  const isSignedOut = error?.status === UNAUTHORIZED;
  const isSentToEnrol = data?.mustEnrol === true && !isEnrolling;
  useEffect(() => {
    if (isSignedOut) signInFirst();
    else if (isSentToEnrol) location.replace(consolePath('secondFactors'));
  }, [isSignedOut, isSentToEnrol]);
  if (isSignedOut || isSentToEnrol) return {};
  return { ...(data ?? {}), ...(error && !data ? { error } : {}) };
};
