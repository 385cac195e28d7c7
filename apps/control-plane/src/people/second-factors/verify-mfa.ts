import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { hasSecondFactor, listProofsElsewhere, type Proof } from '@svc/contract/tables/proofs.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { getSignedInKey, listVouchedKeys } from '@svc/operations/people/auth/failure-keys.ts';
import { openProvedSession } from '@svc/operations/people/auth/finish-sign-in.ts';
import { forgiveVisitor, guessOfVisitor } from '@svc/operations/people/auth/guess-of-visitor.ts';
import { guessOfVouched } from '@svc/operations/people/auth/guesses/guess-of-vouched.ts';
import { checkUnderLockout } from '@svc/operations/people/auth/under-lockout.ts';
import { type FoundFactor, findFactor, type SentFactor } from '@svc/operations/people/second-factors/check-factor.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type ChallengeRow, countChallengeFailure, takeChallenge } from '@svc/postgres/people/auth/mfa-challenges.ts';
import { forgiveKey, unlock } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { findApprovingSession } from '@svc/postgres/people/device-approvals.ts';
import { readTotps } from '@svc/postgres/people/second-factors/second-factors.ts';
import { inheritConnection } from '@svc/postgres/people/sso/identities.ts';
import { getVisitorKey, knowBrowser } from '../auth/sign-in/known-browser.ts';
import { getLockoutTerms } from '../auth/sign-in/lockout-terms.ts';
import { newOpening } from '../auth/sign-in/new-opening.ts';
import { recordFailure } from '../auth/sign-in/record-failure.ts';
import { readFactors } from '../auth/sign-in/sent-factors.ts';
import type { PeopleDeps } from '../deps.ts';
import { findIssuedChallenge, isOpen } from './challenge/open-challenge.ts';

type VerifyCall = Call<Endpoints['verifyMfa']>;
type Right = { readonly proof: Proof; readonly isVouched: boolean; readonly take: (tx: TenantTransaction) => Promise<boolean> };

const WRONG = 'The proof is wrong or was already used, or the challenge has expired. Sign in again to get a new one.';
const ONE = 'Send exactly one of code, recovery_code, passkey and device_approval_id.';

const fail = (call: VerifyCall, challenge: ChallengeRow, proof: Proof) =>
  recordFailure(call, challenge, {
    data: { second_factor: proof },
    message: WRONG,
    write: (tx) => countChallengeFailure(tx, challenge),
  });

/** True if the challenge rests on the current password, proved here and not vouched for by one organization's provider. */
const isPasswordProved = ({ proofs, epoch, person_epoch, member_epoch }: ChallengeRow): boolean =>
  proofs.includes('PASSWORD') && epoch === person_epoch + member_epoch;

const succeed = async (call: VerifyCall, deps: PeopleDeps, challenge: ChallengeRow, { proof, isVouched, take }: Right) => {
  const user = { id: challenge.user_id, email: challenge.email, name: challenge.name };
  const organization = { id: challenge.organization_id, name: challenge.organization_name };
  const opening = newOpening({ ...call, newId: () => challenge.session_id }, deps.settings);
  const answer = await call.change(
    async (change) => {
      // Only one of several concurrent correct proofs succeeds; the others are rolled back (race condition).
      if (!(await takeChallenge(change.tx, challenge, call.now)) || !(await take(change.tx)))
        return call.refuse('INVALID_CREDENTIALS', WRONG);
      const signedIn = { user, organization, rights: challenge, epoch: challenge.epoch, vouchedAmr: isVouched ? [proof] : [] };
      return openProvedSession(change, opening, signedIn, [...challenge.proofs, proof]);
    },
    undefined,
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
  if ('token' in answer && isPasswordProved(challenge)) knowBrowser(call, deps, challenge);
  return answer;
};

/**
 * Verifies an approval by another device, which is not a guess and counts for nothing until it is given. It has the proofs of the approving
 * session: it counts in other organizations only if that session does, with a second factor, and ends with the connection of that session.
 */
const byDevice = async (call: VerifyCall, deps: PeopleDeps, challenge: ChallengeRow, id: string) => {
  const approving = isOpen(challenge, call.now) ? await findApprovingSession(deps.identity, challenge, id, call.now) : undefined;
  if (!approving) return call.refuse('INVALID_CREDENTIALS', WRONG);
  const { organization_id, session_id } = challenge;
  const isVouched = !hasSecondFactor(listProofsElsewhere({ amr: approving.amr, vouchedAmr: approving.vouched_amr }));
  const take = async (tx: TenantTransaction) => {
    if (isVouched) await inheritConnection(tx, { organization_id, session_id, from: approving.rests_on });
    return true;
  };
  return succeed(call, deps, challenge, { proof: 'DEVICE', isVouched, take });
};

/** Returns the key under which a guess at a second factor counts, and how it is reset. */
const readTerms = async (call: VerifyCall, deps: PeopleDeps, challenge: ChallengeRow, sent: SentFactor) => {
  const { identity, settings } = deps;
  const { now } = call;
  const checks = { identity, lockout: getLockoutTerms(settings) };
  const whose = { userId: challenge.user_id, organizationId: challenge.organization_id };
  if (listProofsElsewhere({ amr: challenge.proofs, vouchedAmr: [] }).length > 0) {
    const visitor = getVisitorKey(call, deps, challenge.email, challenge);
    const forgive = async () => {
      await forgiveVisitor(identity, visitor);
      await unlock(identity, getSignedInKey(challenge.email));
    };
    return { checks, guess: await guessOfVisitor(checks, visitor, now), closed: undefined, forgive };
  }
  const totps = sent.kind === 'TOTP' ? (await readTotps(identity, whose)).map(({ id }) => id) : [];
  const vouched = await guessOfVouched(checks, { ...whose, share: 'strangers' }, { password: false, totps }, now);
  const keys = listVouchedKeys(whose);
  const forgive = async () => {
    await forgiveKey(identity, keys.strangers);
    await unlock(identity, keys.signedIn);
  };
  return { checks, ...vouched, forgive };
};

/**
 * Verifies a factor under the lockout of the account and of the address, or of the organization whose provider began the sign-in. A wrong
 * or late proof counts there. A factor that a provider vouched for resets no count: the guesses may have been at the person's own factor.
 */
const byFactor = async (call: VerifyCall, deps: PeopleDeps, challenge: ChallengeRow, sent: SentFactor) => {
  const { now } = call;
  const { checks, guess, closed, forgive } = await readTerms(call, deps, challenge, sent);
  const whose = { userId: challenge.user_id, organizationId: challenge.organization_id, ...(closed ? { closed } : {}) };
  let found: FoundFactor | undefined;
  const right: boolean | Refusal<'RATE_LIMITED'> = await checkUnderLockout(checks, { ...guess, now }, async () => {
    found = isOpen(challenge, now) ? await findFactor(deps.factors, whose, sent, now) : undefined;
    return found !== undefined;
  });
  if (typeof right !== 'boolean') return right;
  if (!right || found === undefined) return fail(call, challenge, sent.kind);
  const answer = await succeed(call, deps, challenge, found);
  if (!isRefusal(answer) && !found.isVouched) await forgive();
  return answer;
};

/** Completes a sign-in from the network that began it. */
export const verifyMfa: Handler<Endpoints['verifyMfa'], PeopleDeps> = async (call, deps) => {
  const { mfa_challenge, device_approval_id } = call.body;
  const challenge = await findIssuedChallenge(deps.identity, { token: mfa_challenge, sourceIp: call.sourceIp });
  const sent = readFactors(call.body, { of: 'second factor', sessionId: challenge?.session_id ?? '' });
  if (sent.length + (device_approval_id === undefined ? 0 : 1) !== 1) return call.fault('/code', ONE);
  if (!challenge) return call.refuse('INVALID_CREDENTIALS', WRONG);
  const [factor] = sent;
  return factor ? byFactor(call, deps, challenge, factor) : byDevice(call, deps, challenge, device_approval_id ?? '');
};
