import type { Endpoints } from '@svc/contract/endpoints.ts';
import { onlyOrganizationOf } from '@svc/domain/people/auth/only-organization-of.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { listMemberships, renamePerson } from '@svc/postgres/people/auth/people.ts';
import type { ControlDeps } from '../../deps.ts';

const ELSEWHERE =
  'You belong to other organizations too, and one of them alone has let you in: sign in with a password or passkey of your own to be renamed in all.';

/** The same person in every organization, and so under the same name, which the provider of one of them does not change in the others. */
export const updateProfile: Handler<Endpoints['updateProfile'], ControlDeps> = async (call, { identity }) => {
  const { actor, email } = call.caller;
  const only = onlyOrganizationOf(call.caller);
  const isElsewhere = async () => (await listMemberships(identity, actor.id)).some(({ organization_id }) => organization_id !== only);
  if (only !== undefined && (await isElsewhere())) return call.refuse('PERMISSION_DENIED', ELSEWHERE);
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
