import { about } from '@svc/postgres/audit/about.ts';
import type { Change, EventActor } from '@svc/postgres/change/change.ts';
import { countStepUpFailure, endSignIn } from '@svc/postgres/people/sessions/sessions.ts';

type Failed = {
  readonly actor: EventActor;
  readonly session: { readonly organization_id: string; readonly id: string };
  readonly signInId: string | null;
  readonly attemptsMax: number;
  readonly now: Date;
  /** The data of the event. */
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Counts a wrong proof of a signed-in user. Returns true if it used up the attempts of the session and so ended it: the user signs in
 * again, and a stolen token is worthless.
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
