import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, keep } from '@svc/postgres/change/change.ts';
import { findPasswordHash } from '@svc/postgres/people/auth/people.ts';
import { countStepUpFailure, endSignIn, markSteppedUp } from '@svc/postgres/people/auth/sessions.ts';
import type { ControlDeps } from '../../deps.ts';
import { checkStepUp } from './step-up/step-up-proofs.ts';

type StepUpCall = Call<Endpoints['stepUp']>;
type Emitted = 'user.step_up_completed' | 'user.login_failed' | 'user.logged_out';

/** The attempt that uses up the session's last one ends it; who is meant signs in again, and who took the token has nothing any more. */
const failed = async (call: StepUpCall, { tx, emit }: Change<Emitted>, attemptsMax: number) => {
  const { caller, now } = call;
  const person = about.user(caller.actor);
  const session = { organization_id: caller.organizationId, id: caller.credentialId };
  const hasEnded = await countStepUpFailure(tx, session, now, attemptsMax);
  emit('user.login_failed', { ...person, data: { step_up: true, source_ip: call.sourceIp } });
  if (!hasEnded) return keep(call.refuse('INVALID_CREDENTIALS'));
  await endSignIn(tx, session, { id: caller.signInId ?? session.id, withTerminals: false }, now);
  emit('user.logged_out', { ...person, data: { session_id: session.id, because: 'step_up_failed_too_often' } });
  return keep(call.refuse('INVALID_CREDENTIALS', 'The password is wrong, and was so too often: this session has ended. Sign in again.'));
};

/**
 * Counted by the session alone, and checked in a lane of its own. What strangers fail at signing in to this account, or at whatever address,
 * keeps nobody who is signed in from proving who they are, and so from stopping what has to be stopped.
 */
export const stepUp: Handler<Endpoints['stepUp'], ControlDeps> = async (call, deps) => {
  const { body, caller, now } = call;
  if (body.password === undefined) {
    return body.code === undefined
      ? call.fault('/password', 'This member is required.')
      : call.fault('/code', 'No second factor is enrolled; send the password.');
  }
  const stored = await findPasswordHash(deps.identity, caller.actor.id);
  const right = await checkStepUp(deps.stepUpLane, { organizationId: caller.organizationId, stored, password: body.password });
  if (typeof right !== 'boolean') return right;
  return call.change(async (change) => {
    const until = new Date(now.getTime() + deps.settings.stepUpLifetimeSeconds * 1000);
    const session = { organization_id: caller.organizationId, id: caller.credentialId };
    // A right guess that comes after the session ended is told like a wrong one.
    if (!right || !(await markSteppedUp(change.tx, session, until))) return failed(call, change, deps.settings.loginAttemptsMax);
    const person = about.user(caller.actor);
    change.emit('user.step_up_completed', { ...person, data: { session_id: session.id, step_up_expires_at: until.toISOString() } });
    return { step_up_expires_at: until.toISOString() };
  });
};
