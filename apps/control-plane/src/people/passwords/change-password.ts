import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { type Evidence, hasSecondFactor, ownProofs } from '@svc/contract/tables/proofs.ts';
import { onlyOrganizationOf } from '@svc/domain/people/auth/only-organization-of.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { failedProof } from '@svc/operations/people/auth/failed-proof.ts';
import { checkSignedIn } from '@svc/operations/people/auth/guesses/check-signed-in.ts';
import { guessOfSession } from '@svc/operations/people/auth/guesses/guess-of-vouched.ts';
import { hashNewPassword } from '@svc/operations/people/passwords/hash-new-password.ts';
import { postPasswordChanged } from '@svc/operations/people/passwords/post-password-changed.ts';
import { resetCodeKeys } from '@svc/operations/people/passwords/reset-codes.ts';
import { FACTOR_GONE, storePassword } from '@svc/operations/people/passwords/store-password.ts';
import { OWN_PROOF } from '@svc/operations/people/second-factors/own-proof.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { keep } from '@svc/postgres/change/change.ts';
import { endResetCodes } from '@svc/postgres/people/passwords/password-resets.ts';
import { findOwnPassword } from '@svc/postgres/people/passwords/passwords.ts';
import { keepSession } from '@svc/postgres/people/sessions/own-sessions.ts';
import { knowBrowser } from '../auth/sign-in/known-browser.ts';
import { lockoutTerms } from '../auth/sign-in/lockout-terms.ts';
import { checkStepUp } from '../auth/step-up/step-up-proofs.ts';
import type { PeopleDeps } from '../deps.ts';

type ChangeCall = Call<Endpoints['changePassword']>;

const ENDED = 'The password was wrong too many times, so this session has ended. Sign in again.';

/** Counted by the account's own sessions, as at a step-up: no stranger uses up the tries of whoever is signed in, and whoever took a token has no more of them. */
const refuseWrong = (call: ChangeCall, attemptsMax: number) => {
  const { caller, now, sourceIp } = call;
  const session = { organization_id: caller.organizationId, id: caller.credentialId };
  return call.change(async (change) => {
    const data = { password_change: true, source_ip: sourceIp };
    const { actor, signInId } = caller;
    const hasEnded = await failedProof(change, { actor, session, signInId, attemptsMax, now, data });
    return keep(call.refuse('INVALID_CREDENTIALS', hasEnded ? ENDED : undefined));
  });
};

const isVouchedInPart = (session: Evidence): boolean => ownProofs(session).length < session.amr.length;

/** Of somebody who is signed in: takes the present password, and ends whatever else rests on it. */
export const changePassword: Handler<Endpoints['changePassword'], PeopleDeps> = async (call, deps) => {
  const { body, caller, now } = call;
  const { actor, organizationId, credentialId: sessionId } = caller;
  const own = await findOwnPassword(deps.identity, actor.id);
  const email = (caller.email ?? '').toLowerCase();
  // A factor that a provider vouched for does not stand in for one that guards the whole account.
  if (own.has_factor && isVouchedInPart(caller) && !hasSecondFactor(ownProofs(caller))) return call.refuse('PERMISSION_DENIED', OWN_PROOF);
  const lockout = { identity: deps.identity, lockout: lockoutTerms(deps.settings) };
  const session = { userId: actor.id, email, vouchedBy: onlyOrganizationOf(caller) };
  const { guess } = await guessOfSession(lockout, session, { password: true, totps: [] }, now);
  const proved = await checkSignedIn(lockout, { guess, now }, () =>
    checkStepUp(deps.stepUpLane, { organizationId, stored: own.password_hash, password: body.current_password }),
  );
  if (isRefusal(proved)) return proved;
  if (!proved.isRight) return refuseWrong(call, proved.sessionEndsAt);
  if (body.new_password === body.current_password) return call.fault('/new_password', 'Must be different from the current password.');
  const known = [caller.email ?? '', actor.name ?? '', caller.organizationName];
  const beside = own.has_factor ? 'a second factor' : 'nothing';
  const hashed = await hashNewPassword(deps.passwords, { password: body.new_password, known, beside, of: 'signed in' });
  if (isRefusal(hashed)) return hashed;
  if ('fault' in hashed) return call.fault('/new_password', hashed.fault);
  const answer = await call.change(async ({ tx, emit }) => {
    if (!(await storePassword(tx, { userId: actor.id, phc: hashed.phc, isShort: hashed.isShort, now })))
      return call.fault('/new_password', FACTOR_GONE);
    // What was ended while the password was checked changes nothing any more.
    if (!(await keepSession(tx, { organizationId, userId: actor.id, sessionId }))) return call.refuse('INVALID_CREDENTIALS');
    await endResetCodes(tx, resetCodeKeys(deps.resetKeys, email), now);
    emit('user.password_changed', { ...about.user(actor), data: { by: 'PASSWORD', source_ip: call.sourceIp } });
    await postPasswordChanged(deps, call, tx, { email: caller.email ?? '', organizationId });
    return { password_changed_at: now.toISOString() };
  });
  if (!isRefusal(answer)) knowBrowser(call, deps, { user_id: actor.id, password_changed_at: answer.password_changed_at });
  return answer;
};
