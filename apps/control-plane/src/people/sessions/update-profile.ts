import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { renamePerson } from '@svc/postgres/people/auth/passwords.ts';
import type { ControlDeps } from '../../deps.ts';

/** The same person in every organization, and so under the same name. */
export const updateProfile: Handler<Endpoints['updateProfile'], ControlDeps> = (call) => {
  const { actor, email } = call.caller;
  return call.change(async ({ tx, emit }) => {
    const before = { name: actor.name ?? '' };
    const after = { name: call.body.name ?? before.name };
    if (after.name !== before.name) {
      await renamePerson(tx, actor.id, after.name);
      emit('user.profile_updated', { ...about.user(actor), data: { before, after } });
    }
    return { user: { id: actor.id, email: email ?? '', ...after } };
  });
};
