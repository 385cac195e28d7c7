import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { completeStepUp } from '@svc/operations/people/auth/complete-step-up.ts';
import { getSignedInKey, listVouchedKeys } from '@svc/operations/people/auth/failure-keys.ts';
import { checkCheckSigned, type SignedInGuess } from '@svc/operations/people/auth/guesses/check-signed-in.ts';
import { guessOfSession } from '@svc/operations/people/auth/guesses/guess-of-vouched.ts';
import { type FoundFactor, findFactor, type SentFactor } from '@svc/operations/people/second-factors/check-factor.ts';
import { findPasswordHash } from '@svc/postgres/people/auth/people.ts';
import { forgiveKey } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { listFactors, readTotps } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { GainedProofs } from '@svc/postgres/people/sessions/sessions.ts';
import type { PeopleDeps } from '../deps.ts';
import { getLockoutTerms } from './sign-in/lockout-terms.ts';
import { readFactors } from './sign-in/sent-factors.ts';
import { checkStepUp } from './step-up/step-up-proofs.ts';

type StepUpCall = Call<Endpoints['stepUp']>;
type Proved = SignedInGuess & { readonly factor: FoundFactor | undefined };

const FACTOR = 'A second factor is enrolled. Send its code, a passkey or a recovery code.';
const PASSWORD = 'No second factor is enrolled; send the password.';
const ONE = 'Send one proof of a second factor, not several.';

const getEmail = ({ email }: StepUpCall['caller']): string => (email ?? '').toLowerCase();

const checkPassword = async ({ caller }: StepUpCall, { identity, stepUpLane }: PeopleDeps, password: string) => {
  const stored = await findPasswordHash(identity, caller.actor.id);
  return checkStepUp(stepUpLane, { organizationId: caller.organizationId, stored, password });
};

type Sent = { readonly password: string | undefined; readonly factor: SentFactor | undefined };

const whoseOf = ({ caller }: StepUpCall) => ({ userId: caller.actor.id, organizationId: caller.organizationId });

/** Returns the key under which a password or a code counts as a guess. */
const readGuess = async (call: StepUpCall, { identity, settings }: PeopleDeps, { password, factor }: Sent) => {
  const session = { userId: call.caller.actor.id, email: getEmail(call.caller), vouchedBy: findOnlyOrganization(call.caller) };
  const totps = factor?.kind === 'TOTP' ? await readTotps(identity, whoseOf(call)) : [];
  const guessed = { password: password !== undefined, totps: totps.map(({ id }) => id) };
  return guessOfSession({ identity, lockout: getLockoutTerms(settings) }, session, guessed, call.now);
};

/**
 * Checks a proof. A password and a code are guesses and share the limit of the account's sessions. A passkey and a recovery code are not,
 * so they still work while that limit is used up.
 */
const check = async (call: StepUpCall, deps: PeopleDeps, { password, factor }: Sent): Promise<Proved | Refusal<'RATE_LIMITED'>> => {
  const { now } = call;
  const { guess, closed } = await readGuess(call, deps, { password, factor });
  let found: FoundFactor | undefined;
  const isRight = async () => {
    const right = password === undefined || (await checkPassword(call, deps, password));
    if (right !== true || !factor) return right;
    found = await findFactor(deps.factors, { ...whoseOf(call), closed }, factor, now);
    return found !== undefined;
  };
  const lockout = getLockoutTerms(deps.settings);
  if (password === undefined && factor?.kind !== 'TOTP') {
    const right = await isRight();
    return typeof right === 'boolean' ? { isRight: right, factor: found, sessionEndsAt: lockout.attemptsMax } : right;
  }
  const told = await checkCheckSigned({ identity: deps.identity, lockout }, { guess, now }, isRight);
  return 'refused' in told ? told : { ...told, factor: found };
};

/** Returns what the body proves. A user with an enrolled second factor proves that one; a password is checked only if it is sent. */
const prove = async (call: StepUpCall, deps: PeopleDeps): Promise<Proved | Refusal<'RATE_LIMITED' | 'VALIDATION_FAILED'>> => {
  const { body, caller } = call;
  const [sent, ...more] = readFactors(body, { of: 'step-up', sessionId: caller.credentialId });
  if (more.length > 0) return call.fault('/code', ONE);
  const isEnrolled = (await listFactors(deps.identity, whoseOf(call))).length > 0;
  if (isEnrolled && !sent) return call.fault('/code', FACTOR);
  if (!isEnrolled && sent) return call.fault('/code', PASSWORD);
  if (!sent && body.password === undefined) return call.fault('/password', 'This member is required.');
  return check(call, deps, { password: body.password, factor: sent });
};

const gainedBy = (password: string | undefined, factor: FoundFactor | undefined): GainedProofs => ({
  own: [...(password === undefined ? [] : (['PASSWORD'] as const)), ...(factor && !factor.isVouched ? [factor.proof] : [])],
  vouched: factor?.isVouched ? [factor.proof] : [],
});

const getGuessKey = (caller: StepUpCall['caller']): string => {
  const organizationId = findOnlyOrganization(caller);
  return organizationId === undefined
    ? getSignedInKey(getEmail(caller))
    : listVouchedKeys({ userId: caller.actor.id, organizationId }).signedIn;
};

/**
 * Guesses are counted in the sessions of the account, and passwords are checked in a lane of their own. Failed sign-ins of an attacker, at this
 * account or any address, do not keep a signed-in user from a step-up, and so from an emergency stop.
 */
export const stepUp: Handler<Endpoints['stepUp'], PeopleDeps> = async (call, deps) => {
  const { caller, body } = call;
  const proved = await prove(call, deps);
  if ('refused' in proved) return proved;
  const { isRight, factor, sessionEndsAt: attemptsMax } = proved;
  const gained = gainedBy(body.password, factor);
  const request = {
    ...asActing(call),
    session: { organization_id: caller.organizationId, id: caller.credentialId },
    signInId: caller.signInId,
    sourceIp: call.sourceIp,
    ...{ isRight, takeFactor: factor?.take, gained, lifetimeSeconds: deps.settings.stepUpLifetimeSeconds, attemptsMax },
  };
  const answer = await call.change((change) => completeStepUp(change, request));
  // A factor that a provider vouched for does not reset the count of guesses: they may have been at the user's own factor.
  if ('step_up_expires_at' in answer && gained.vouched.length === 0) await forgiveKey(deps.identity, getGuessKey(caller));
  return answer;
};
