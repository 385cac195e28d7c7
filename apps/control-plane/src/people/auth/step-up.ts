import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { failedProof } from '@svc/operations/people/auth/failed-proof.ts';
import { secondFactorKey } from '@svc/operations/people/auth/failure-keys.ts';
import { underLockout } from '@svc/operations/people/auth/under-lockout.ts';
import { type FoundFactor, findFactor, type SentFactor } from '@svc/operations/people/second-factors/check-factor.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, keep } from '@svc/postgres/change/change.ts';
import { findPasswordHash } from '@svc/postgres/people/auth/people.ts';
import { markSteppedUp } from '@svc/postgres/people/auth/sessions.ts';
import { forgiveKey } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { listFactors } from '@svc/postgres/people/second-factors/factors.ts';
import type { ControlDeps } from '../../deps.ts';
import { lockoutTerms } from './sign-in/lockout-terms.ts';
import { sentFactors } from './sign-in/sent-factors.ts';
import { checkStepUp } from './step-up/step-up-proofs.ts';

type StepUpCall = Call<Endpoints['stepUp']>;
type Emitted = 'user.step_up_completed' | 'user.login_failed' | 'user.logged_out';
type Proved = { readonly isRight: boolean; readonly factor?: FoundFactor | undefined };

const FACTOR = 'A second factor is enrolled: send its code, a passkey or a recovery code.';
const PASSWORD = 'No second factor is enrolled; send the password.';
const ONE = 'Send one proof of a second factor, not several.';

const ENDED = 'The proof is wrong, and was so too often: this session has ended. Sign in again.';

const failed = async (call: StepUpCall, change: Change<Emitted>, attemptsMax: number) => {
  const { caller, now } = call;
  const session = { organization_id: caller.organizationId, id: caller.credentialId };
  const data = { step_up: true, source_ip: call.sourceIp };
  const hasEnded = await failedProof(change, { actor: caller.actor, session, signInId: caller.signInId, attemptsMax, now, data });
  return keep(call.refuse('INVALID_CREDENTIALS', hasEnded ? ENDED : undefined));
};

const checkPassword = async ({ caller }: StepUpCall, { identity, stepUpLane }: ControlDeps, password: string) => {
  const stored = await findPasswordHash(identity, caller.actor.id);
  return checkStepUp(stepUpLane, { organizationId: caller.organizationId, stored, password });
};

const checkFactor = async (call: StepUpCall, deps: ControlDeps, sent: SentFactor): Promise<Proved | Refusal<'RATE_LIMITED'>> => {
  const { caller, now } = call;
  const key = secondFactorKey(caller.email ?? '', call.sourceIp);
  let factor: FoundFactor | undefined;
  const lockout = { identity: deps.identity, lockout: lockoutTerms(deps.settings) };
  const isRight = await underLockout(lockout, { counted: [key], guardedBy: [key], now }, async () => {
    factor = await findFactor(deps.factors, caller.actor.id, sent, now);
    return factor !== undefined;
  });
  return typeof isRight === 'boolean' ? { isRight, factor } : isRight;
};

/** What the body proves. Whoever enrolled a second factor proves it, and a password besides only where they send one. */
const prove = async (call: StepUpCall, deps: ControlDeps): Promise<Proved | Refusal<'RATE_LIMITED' | 'VALIDATION_FAILED'>> => {
  const { body, caller } = call;
  const [sent, ...more] = sentFactors(body, { of: 'step-up', sessionId: caller.credentialId });
  if (more.length > 0) return call.fault('/code', ONE);
  const isEnrolled = (await listFactors(deps.identity, caller.actor.id)).length > 0;
  if (isEnrolled && !sent) return call.fault('/code', FACTOR);
  if (!isEnrolled && sent) return call.fault('/code', PASSWORD);
  if (!sent && body.password === undefined) return call.fault('/password', 'This member is required.');
  const right = body.password === undefined || (await checkPassword(call, deps, body.password));
  if (typeof right !== 'boolean') return right;
  return sent && right ? checkFactor(call, deps, sent) : { isRight: right };
};

/**
 * Counted by the session, and codes besides by person and network, together with those of sign-ins from there; passwords are checked in a lane
 * of their own. What strangers fail at signing in to this account, or at whatever address, keeps nobody who is signed in from proving who they
 * are, and so from stopping what has to be stopped.
 */
export const stepUp: Handler<Endpoints['stepUp'], ControlDeps> = async (call, deps) => {
  const { caller, now, body } = call;
  const proved = await prove(call, deps);
  if ('refused' in proved) return proved;
  const { isRight, factor } = proved;
  const proofs: Proof[] = [...(body.password === undefined ? [] : (['PASSWORD'] as const)), ...(factor ? [factor.proof] : [])];
  const answer = await call.change(async (change) => {
    const until = new Date(now.getTime() + deps.settings.stepUpLifetimeSeconds * 1000);
    const session = { organization_id: caller.organizationId, id: caller.credentialId };
    // A right guess that comes after the session ended, or that another took first, is told like a wrong one.
    const isTaken = isRight && (factor === undefined || (await factor.take(change.tx)));
    if (!isTaken || !(await markSteppedUp(change.tx, session, until, proofs))) return failed(call, change, deps.settings.loginAttemptsMax);
    const person = about.user(caller.actor);
    const data = { session_id: session.id, step_up_expires_at: until.toISOString(), proofs };
    change.emit('user.step_up_completed', { ...person, data });
    return { step_up_expires_at: until.toISOString() };
  });
  if (factor && 'step_up_expires_at' in answer) await forgiveKey(deps.identity, secondFactorKey(caller.email ?? '', call.sourceIp));
  return answer;
};
