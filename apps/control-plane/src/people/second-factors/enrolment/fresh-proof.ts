import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { hasNothingToProve } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../../deps.ts';

/** Whether the session itself is as fresh as a step-up would be: one that was switched to proves nothing anew. */
const isJustSignedIn = ({ openedAt, signInId, credentialId }: KnownCaller, now: Date, { stepUpLifetimeSeconds }: PeopleDeps['settings']) =>
  openedAt !== null && signInId === credentialId && now.getTime() - Date.parse(openedAt) <= stepUpLifetimeSeconds * 1000;

/**
 * Whoever enrols a factor proves anew who they are, or a session that was left open would be enough to take an account over. Whoever has
 * nothing to prove it with, having come by single sign-on, has just signed in.
 */
export const freshProofRefusal = async (
  caller: KnownCaller,
  now: Date,
  { identity, settings }: PeopleDeps,
): Promise<Refusal<'STEP_UP_REQUIRED'> | undefined> => {
  if (hasFreshStepUp(caller, now)) return undefined;
  const isFresh = isJustSignedIn(caller, now, settings) && (await hasNothingToProve(identity, caller.actor.id, caller.organizationId));
  return isFresh ? undefined : stepUpRefusal(caller);
};
