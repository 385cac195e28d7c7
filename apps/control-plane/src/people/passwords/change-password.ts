import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { hasSecondFactor, ownProofs, type SessionProofs } from '@svc/contract/tables/proofs.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { checkCheckSigned } from '@svc/operations/people/auth/guesses/check-signed-in.ts';
import { guessOfSession } from '@svc/operations/people/auth/guesses/guess-of-vouched.ts';
import { refuseWrongPassword } from '@svc/operations/people/auth/refuse-wrong-password.ts';
import { changePassword as storeChangedPassword } from '@svc/operations/people/passwords/change-password.ts';
import { hashNewPassword } from '@svc/operations/people/passwords/hash-new-password.ts';
import { OWN_PROOF } from '@svc/operations/people/second-factors/own-proof.ts';
import { findOwnPassword } from '@svc/postgres/people/passwords/passwords.ts';
import { knowBrowser } from '../auth/sign-in/known-browser.ts';
import { getLockoutTerms } from '../auth/sign-in/lockout-terms.ts';
import { checkStepUp } from '../auth/step-up/step-up-proofs.ts';
import type { PeopleDeps } from '../deps.ts';

type ChangeCall = Call<Endpoints['changePassword']>;

const refuseWrong = (call: ChangeCall, attemptsMax: number) => {
  const { caller, sourceIp } = call;
  const session = { organizationId: caller.organizationId, id: caller.credentialId };
  const request = { ...asActing(call), session, signInId: caller.signInId, sourceIp, attemptsMax };
  return call.change((change) => refuseWrongPassword(change, request));
};

const isVouchedInPart = (session: SessionProofs): boolean => ownProofs(session).length < session.amr.length;

/** Changes the password of a signed-in user: requires the current one, and ends everything else that depends on it. */
export const changePassword: Handler<Endpoints['changePassword'], PeopleDeps> = async (call, deps) => {
  const { body, caller, now } = call;
  const { actor, organizationId, credentialId: sessionId } = caller;
  const own = await findOwnPassword(deps.identity, actor.id);
  const email = (caller.email ?? '').toLowerCase();
  // A factor vouched for by a provider does not replace one that protects the whole account.
  if (own.has_factor && isVouchedInPart(caller) && !hasSecondFactor(ownProofs(caller))) return call.refuse('PERMISSION_DENIED', OWN_PROOF);
  const lockout = { identity: deps.identity, lockout: getLockoutTerms(deps.settings) };
  const session = { userId: actor.id, email, vouchedBy: findOnlyOrganization(caller) };
  const { guess } = await guessOfSession(lockout, session, { password: true, totps: [] }, now);
  const proved = await checkCheckSigned(lockout, { guess, now }, () =>
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
  const request = {
    ...asActing(call),
    session: { organizationId, id: sessionId },
    email: caller.email ?? '',
    ...{ hashed, posting: call },
  };
  const answer = await call.change((change) => storeChangedPassword(change, request, deps));
  if (!isRefusal(answer)) knowBrowser(call, deps, { user_id: actor.id, password_changed_at: answer.password_changed_at });
  return answer;
};
