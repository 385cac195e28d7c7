import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createOrganization, getFounder, newFounding } from '@svc/operations/people/auth/founding/found-organization.ts';
import { hashNewPassword } from '@svc/operations/people/passwords/hash-new-password.ts';
import type { PeopleDeps } from '../deps.ts';
import { isOperatorsFounder, refuseFounding, takeFounding } from './founding/may-found.ts';
import { knowBrowser } from './sign-in/known-browser.ts';
import { newOpening } from './sign-in/new-opening.ts';

export const signup: Handler<Endpoints['signup'], PeopleDeps> = async (call, deps) => {
  const { body, now } = call;
  const { email, name, password } = body;
  const organizationName = body.organizationName ?? body.organization_name ?? '';
  if (body.organization_name !== undefined && body.organization_name !== organizationName)
    return call.fault('/organization_name', 'Must not differ from organizationName.');
  const closed = await refuseFounding(deps, body);
  if (closed) return closed;
  // Hashing is slow; no transaction is held meanwhile.
  const hashed = await hashNewPassword(deps.passwords, {
    password,
    known: [email, name, organizationName],
    beside: 'nothing',
    of: 'stranger',
  });
  if (isRefusal(hashed)) return call.refuse('RATE_LIMITED', hashed.message, hashed.details);
  if ('fault' in hashed) return call.fault('/password', hashed.fault);
  const isProved = await isOperatorsFounder(deps, body);
  const founding = newFounding(call.newId, { email, name, organizationName, passwordHash: hashed.phc }, isProved);
  const answer = await call.change(
    async (change) =>
      (await takeFounding(change.tx, deps, body, now)) ??
      (await createOrganization(change, founding, newOpening(call, deps.settings), ['PASSWORD'])),
    {
      users_email_is_unique: () =>
        call.refuse(
          'ALREADY_EXISTS',
          'An account with this e-mail address already exists. Sign in with POST /v1/auth/login, or use another address.',
        ),
    },
    getFounder(founding),
  );
  if ('token' in answer) knowBrowser(call, deps, { user_id: answer.user.id, password_changed_at: now.toISOString() });
  return answer;
};
