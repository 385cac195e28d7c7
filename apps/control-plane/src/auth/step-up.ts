import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { keep } from '@svc/postgres/change.ts';
import { findPasswordHash } from '@svc/postgres/people.ts';
import { markSteppedUp } from '@svc/postgres/sessions.ts';
import type { ControlDeps } from '../deps.ts';
import { checkPassword } from './check-password.ts';
import { failureKeys } from './failure-keys.ts';

export const stepUp: Handler<Endpoints['stepUp'], ControlDeps> = async (call, deps) => {
  const { body, caller, now } = call;
  if (body.password === undefined) {
    return body.code === undefined
      ? call.fault('/password', 'This member is required.')
      : call.fault('/code', 'No second factor is enrolled; send the password.');
  }
  const counted = failureKeys(caller.email ?? caller.actor.id, call.sourceIp);
  const right = await checkPassword(deps, {
    password: body.password,
    passwordHash: () => findPasswordHash(deps.identity, caller.actor.id),
    counted,
    now,
    of: 'signed in',
    // Not by the address: whoever has a session can guess at this one account only, and a neighbour's failures must not stop them.
    guardedBy: [counted.account],
  });
  if (typeof right !== 'boolean') return right;
  const subject = { type: 'user', id: caller.actor.id };
  return call.change(async ({ tx, emit }) => {
    const until = new Date(now.getTime() + deps.settings.stepUpLifetimeSeconds * 1000);
    const session = { organization_id: caller.organizationId, id: caller.credentialId };
    if (!right || !(await markSteppedUp(tx, session, until))) {
      emit('user.login_failed', { subject, data: { step_up: true, source_ip: call.sourceIp } });
      return keep(call.refuse('INVALID_CREDENTIALS'));
    }
    emit('user.step_up_completed', { subject, data: { session_id: session.id, step_up_expires_at: until.toISOString() } });
    return { step_up_expires_at: until.toISOString() };
  });
};
