import { about } from '@svc/postgres/audit/about.ts';
import type { Actor, Change } from '@svc/postgres/change/change.ts';
import { countStepUpFailure, endSignIn } from '@svc/postgres/people/sessions/sessions.ts';

type Failed = {
  readonly actor: Actor;
  readonly session: { readonly organization_id: string; readonly id: string };
  readonly signInId: string | null;
  readonly attemptsMax: number;
  readonly now: Date;
  /** What the failure was at, for the record. */
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Counts a wrong proof of somebody who is signed in; true where it used up the session's attempts, and so ended it. Who is meant signs in
 * again, and who took the token has nothing any more.
 */
export const countFailedProof = async (
  { tx, emit }: Change<'user.login_failed' | 'user.logged_out'>,
  { actor, session, signInId, attemptsMax, now, data }: Failed,
): Promise<boolean> => {
  const hasEnded = await countStepUpFailure(tx, session, now, attemptsMax);
  emit('user.login_failed', { ...about.user(actor), data });
  if (!hasEnded) return false;
  await endSignIn(tx, session, { id: signInId ?? session.id, withTerminals: false }, now);
  emit('user.logged_out', { ...about.user(actor), data: { session_id: session.id, because: 'step_up_failed_too_often' } });
  return true;
};
