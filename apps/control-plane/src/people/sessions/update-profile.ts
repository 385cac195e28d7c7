import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateProfile as update } from '@svc/operations/people/sessions/update-profile.ts';
import { listMemberships } from '@svc/postgres/people/auth/people.ts';
import type { PeopleDeps } from '../deps.ts';

const ELSEWHERE =
  'You belong to other organizations too, and one of them alone has let you in: sign in with a password or passkey of your own to be renamed in all.';

export const updateProfile: Handler<Endpoints['updateProfile'], PeopleDeps> = async (call, { identity }) => {
  const { actor } = call.caller;
  const only = findOnlyOrganization(call.caller);
  const isElsewhere = async () => (await listMemberships(identity, actor.id)).some(({ organization_id }) => organization_id !== only);
  if (only !== undefined && (await isElsewhere())) return call.refuse('PERMISSION_DENIED', ELSEWHERE);
  return call.change((change) => update(change, { ...asActing(call), body: call.body, email: call.caller.email }));
};
