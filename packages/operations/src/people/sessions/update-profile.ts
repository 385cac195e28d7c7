import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { renamePerson } from '@svc/postgres/people/auth/people.ts';
import type { CallContext } from '../auth/acting.ts';

type UpdateProfileRequest = CallContext & { readonly body: EndpointBody<Endpoints['updateProfile']>; readonly email: string | null };

/** Updates the profile. A person has one name in every organization, which the provider of one of them does not change in the others. */
export const updateProfile = async ({ tx, emit }: Change<'user.profile_updated'>, request: UpdateProfileRequest) => {
  const { actor, email } = request;
  const before = { name: actor.name ?? '' };
  const after = { name: request.body.name ?? before.name };
  if (after.name !== before.name) {
    await renamePerson(tx, actor.id, after.name);
    emit('user.profile_updated', { ...about.user(actor), data: { before, after } });
  }
  return { user: { id: actor.id, email: email ?? '', ...after } };
};
