import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { isCode } from '@svc/keyring/codes/mail-code.ts';
import { listFailureKeys, listUnauthenticatedGuessKeys } from '@svc/operations/people/auth/failure-keys.ts';
import { createOrganization, getFounder, newFounding } from '@svc/operations/people/auth/founding/found-organization.ts';
import { checkGuess } from '@svc/operations/people/auth/guesses/check-guess.ts';
import { takeSignUp, trySignUps } from '@svc/postgres/people/auth/sign-ups.ts';
import type { PeopleDeps } from '../deps.ts';
import { takeFounding } from './founding/may-found.ts';
import { knowBrowser } from './sign-in/known-browser.ts';
import { getLockoutTerms } from './sign-in/lockout-terms.ts';
import { newOpening } from './sign-in/new-opening.ts';

type VerifyCall = Call<Endpoints['verifySignup']>;

/** Compared with as many as may be pending, so that the response time does not disclose their number. */
const DECOY = { id: 'sgn_00000000000000000000000000', code_hash: Buffer.alloc(32) };

const wrong = (call: VerifyCall) =>
  call.refuse(
    'INVALID_CREDENTIALS',
    'The code is wrong, used or expired. It is blocked after five attempts. Start again to get a new one.',
  );

/** Finds the sign-up of this code, counted as a guess at the account. A right code that is late is no guess, and yields nothing. */
const findSignUp = (call: VerifyCall, { identity, settings, signUps }: PeopleDeps, emailKey: string) => {
  const { body, now, sourceIp } = call;
  const lockout = getLockoutTerms(settings);
  const guess = listUnauthenticatedGuessKeys(lockout, listFailureKeys(body.email.toLowerCase(), sourceIp));
  return checkGuess({ identity, lockout }, { ...guess, now }, async () => {
    const tried = await trySignUps(identity, emailKey, now);
    const right = tried.filter(({ id, code_hash }) => isCode(signUps.codeKey, body.code, id, code_hash));
    if (tried.length === 0) isCode(signUps.codeKey, body.code, DECOY.id, DECOY.code_hash);
    return right.find(({ isInTime }) => isInTime) ?? right[0];
  });
};

export const verifySignup: Handler<Endpoints['verifySignup'], PeopleDeps> = async (call, deps) => {
  const { body, now } = call;
  const emailKey = deps.signUps.emailKey(body.email);
  const found = await findSignUp(call, deps, emailKey);
  if (isRefusal(found)) return found;
  if (!found?.isInTime) return wrong(call);
  const applicant = deps.signUps.open(found);
  // Two people started with this address, and its owner cannot know from a code which sign-up it completes; only one of them knows this
  // password.
  if (found.is_contested) {
    if (body.password === undefined)
      return call.fault(
        '/password',
        'Another sign-up for this address is in progress. Send the password you chose to confirm that it is yours.',
      );
    const isTheirs = await deps.passwords.verify(applicant.passwordHash, body.password, 'stranger');
    if (isRefusal(isTheirs)) return isTheirs;
    if (!isTheirs) return wrong(call);
  }
  const founding = newFounding(call.newId, applicant, true);
  const founder = { email: applicant.email, setup_token: applicant.setup_token ?? undefined };
  const answer = await call.change(
    async (change) => {
      if (!(await takeSignUp(change.tx, found.id, emailKey, now))) return wrong(call);
      const closed = await takeFounding(change.tx, deps, founder, now);
      return closed ?? createOrganization(change, founding, newOpening(call, deps.settings), ['PASSWORD', 'MAIL_CODE']);
    },
    {
      users_email_is_unique: () =>
        call.refuse('ALREADY_EXISTS', 'An account with this e-mail address was created in the meantime. Sign in with POST /v1/auth/login.'),
    },
    getFounder(founding),
  );
  if ('token' in answer) knowBrowser(call, deps, { user_id: answer.user.id, password_changed_at: now.toISOString() });
  return answer;
};
