import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { signedInKey } from '@svc/operations/people/auth/failure-keys.ts';
import { openProvedSession } from '@svc/operations/people/auth/finish-sign-in.ts';
import { forgiveVisitor, guessOfVisitor } from '@svc/operations/people/auth/guess-of-visitor.ts';
import { underLockout } from '@svc/operations/people/auth/under-lockout.ts';
import { type FoundFactor, findFactor, type SentFactor } from '@svc/operations/people/second-factors/check-factor.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type ChallengeRow, countChallengeFailure, takeChallenge } from '@svc/postgres/people/auth/mfa-challenges.ts';
import { unlock } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { isDeviceApproved } from '@svc/postgres/people/device-approvals.ts';
import type { ControlDeps } from '../../deps.ts';
import { knowBrowser, visitorOf } from '../auth/sign-in/known-browser.ts';
import { lockoutTerms } from '../auth/sign-in/lockout-terms.ts';
import { newOpening } from '../auth/sign-in/new-opening.ts';
import { recordFailure } from '../auth/sign-in/record-failure.ts';
import { sentFactors } from '../auth/sign-in/sent-factors.ts';
import { findChallengeOf, isOpen } from './challenge/open-challenge.ts';

type VerifyCall = Call<Endpoints['verifyMfa']>;
type Right = { readonly proof: Proof; readonly take: (tx: TenantTransaction) => Promise<boolean> };

const WRONG = 'The proof is wrong or was used, or the challenge is over: sign in again for a new one.';
const ONE = 'Send exactly one of code, recovery_code, passkey and device_approval_id.';

const fail = (call: VerifyCall, challenge: ChallengeRow, proof: Proof) =>
  recordFailure(call, challenge, {
    data: { second_factor: proof },
    message: WRONG,
    write: (tx) => countChallengeFailure(tx, challenge),
  });

/** The password that the challenge rests on is the present one, and was proved here and not by the word of one organization's provider. */
const isPasswordProved = ({ proofs, epoch, person_epoch, member_epoch }: ChallengeRow): boolean =>
  proofs.includes('PASSWORD') && epoch === person_epoch + member_epoch;

const succeed = async (call: VerifyCall, deps: ControlDeps, challenge: ChallengeRow, { proof, take }: Right) => {
  const user = { id: challenge.user_id, email: challenge.email, name: challenge.name };
  const organization = { id: challenge.organization_id, name: challenge.organization_name };
  const opening = newOpening({ ...call, newId: () => challenge.session_id }, deps.settings);
  const answer = await call.change(
    async (change) => {
      // Of several that are right at once one takes both; what it took comes back where the other was taken already.
      if (!(await takeChallenge(change.tx, challenge, call.now)) || !(await take(change.tx)))
        return call.refuse('INVALID_CREDENTIALS', WRONG);
      return openProvedSession(change, opening, { user, organization, rights: challenge, epoch: challenge.epoch }, [
        ...challenge.proofs,
        proof,
      ]);
    },
    undefined,
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
  if ('token' in answer && isPasswordProved(challenge)) knowBrowser(call, deps, challenge);
  return answer;
};

/** An approval is no guess: whoever has the challenge is told its id, and it says nothing until somebody gave it. */
const byDevice = async (call: VerifyCall, deps: ControlDeps, challenge: ChallengeRow, id: string) => {
  const isApproved = isOpen(challenge, call.now) && (await isDeviceApproved(deps.identity, challenge, id, call.now));
  return isApproved
    ? succeed(call, deps, challenge, { proof: 'DEVICE', take: async () => true })
    : call.refuse('INVALID_CREDENTIALS', WRONG);
};

/** Under the lockout of the account and of the address: a wrong one counts on each, as does one that comes too late. */
const byFactor = async (call: VerifyCall, deps: ControlDeps, challenge: ChallengeRow, sent: SentFactor) => {
  const { now } = call;
  const visitor = visitorOf(call, deps, challenge.email, challenge);
  const checks = { identity: deps.identity, lockout: lockoutTerms(deps.settings) };
  const guess = { ...(await guessOfVisitor(checks, visitor, now)), now };
  let found: FoundFactor | undefined;
  const right: boolean | Refusal<'RATE_LIMITED'> = await underLockout(checks, guess, async () => {
    found = isOpen(challenge, now) ? await findFactor(deps.factors, challenge.user_id, sent, now) : undefined;
    return found !== undefined;
  });
  if (typeof right !== 'boolean') return right;
  if (!right || found === undefined) return fail(call, challenge, sent.kind);
  const answer = await succeed(call, deps, challenge, found);
  if (isRefusal(answer)) return answer;
  await forgiveVisitor(deps.identity, visitor);
  await unlock(deps.identity, signedInKey(challenge.email));
  return answer;
};

/** The second half of a sign-in, from the network that began it. */
export const verifyMfa: Handler<Endpoints['verifyMfa'], ControlDeps> = async (call, deps) => {
  const { mfa_challenge, device_approval_id } = call.body;
  const challenge = await findChallengeOf(deps.identity, { token: mfa_challenge, sourceIp: call.sourceIp });
  const sent = sentFactors(call.body, { of: 'second factor', sessionId: challenge?.session_id ?? '' });
  if (sent.length + (device_approval_id === undefined ? 0 : 1) !== 1) return call.fault('/code', ONE);
  if (!challenge) return call.refuse('INVALID_CREDENTIALS', WRONG);
  const [factor] = sent;
  return factor ? byFactor(call, deps, challenge, factor) : byDevice(call, deps, challenge, device_approval_id ?? '');
};
