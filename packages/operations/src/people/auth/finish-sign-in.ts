import type { MfaChallenge, NewSession } from '@svc/contract/people/auth.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { hasSecondFactor, type Proof } from '@svc/contract/tables/proofs.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { insertChallenge, readMethods } from '@svc/postgres/people/auth/mfa-challenges.ts';
import { endSurplus } from '@svc/postgres/people/sessions/end-surplus.ts';
import { findEnforcedRefusal } from './enforced-refusal.ts';
import { type Opening, openSession, type SignedIn } from './open-session.ts';

type Signing = Change<'user.login_succeeded'>;

/** Opens the first session of an organization for its founder. */
export const openFoundersSession = async (
  { tx, emit }: Signing,
  opening: Opening,
  signedIn: SignedIn,
  proofs: readonly Proof[],
): Promise<NewSession> => {
  const answer = await openSession(tx, opening, signedIn, proofs);
  const ended = await endSurplus(tx, { organizationId: signedIn.organization.id, userId: signedIn.user.id }, opening.now);
  emit('user.login_succeeded', {
    ...about.user(signedIn.user),
    data: { session_id: opening.id, source_ip: opening.sourceIp, amr: [...proofs], ...(ended.length > 0 ? { sessions_ended: ended } : {}) },
  });
  return answer;
};

/**
 * Opens a session for a person who needs no further proof, such as a new one, who has no second factor. If the organization enforces its
 * own provider, any other way to sign in is refused.
 */
export const openProvedSession = async (
  change: Signing,
  opening: Opening,
  signedIn: SignedIn,
  proofs: readonly Proof[],
): Promise<NewSession | Refusal<'PERMISSION_DENIED'>> => {
  const elsewhere = await findEnforcedRefusal(change.tx, signedIn, proofs);
  return elsewhere ?? openFoundersSession(change, opening, signedIn, proofs);
};

/**
 * Completes a sign-in after any first factor: a session, or a challenge if the person enrolled a second factor and none is among the
 * proofs. Call it in a change of the organization that is signed in to.
 */
export const finishSignIn = async (
  change: Signing,
  opening: Opening,
  signedIn: SignedIn,
  proofs: readonly Proof[],
): Promise<NewSession | MfaChallenge | Refusal<'PERMISSION_DENIED'>> => {
  const { user, organization } = signedIn;
  const { now } = opening;
  const methods = hasSecondFactor(proofs) ? [] : await readMethods(change.tx, organization.id, user.id, now);
  if (methods.length === 0) return openProvedSession(change, opening, signedIn, proofs);
  const elsewhere = await findEnforcedRefusal(change.tx, signedIn, proofs);
  if (elsewhere) return elsewhere;
  const token = newSecretToken(SECRET_PREFIXES.mfa_challenge);
  const expiresAt = new Date(now.getTime() + LIMITS.secondFactors.challengeLifetimeSeconds * 1000);
  await insertChallenge(change.tx, {
    organization_id: organization.id,
    session_id: opening.id,
    user_id: user.id,
    token_hash: hashSecret(token),
    proofs,
    epoch: signedIn.epoch,
    source: getAddressGroup(opening.sourceIp),
    expires_at: expiresAt,
    now,
  });
  return { mfa_required: true, mfa_challenge: token, methods, expires_at: expiresAt.toISOString() };
};
