import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { hasNothingToProve } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { PeopleDeps } from '../../deps.ts';

/** True if the session is as recent as a step-up: a session created by a switch proves nothing again. */
const isJustSignedIn = ({ openedAt, signInId, credentialId }: KnownCaller, now: Date, { stepUpLifetimeSeconds }: PeopleDeps['settings']) =>
  openedAt !== null && signInId === credentialId && now.getTime() - Date.parse(openedAt) <= stepUpLifetimeSeconds * 1000;

/**
 * Requires re-authentication to enrol a factor, or an unattended session would be enough to take over an account. A user without any proof,
 * who came by single sign-on, must have just signed in.
 */
export const findFreshProofRefusal = async (
  caller: KnownCaller,
  now: Date,
  { identity, settings }: PeopleDeps,
): Promise<Refusal<'STEP_UP_REQUIRED'> | undefined> => {
  if (hasFreshStepUp(caller, now)) return undefined;
  const isFresh = isJustSignedIn(caller, now, settings) && (await hasNothingToProve(identity, caller.actor.id, caller.organizationId));
  return isFresh ? undefined : stepUpRefusal(caller);
};
