import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { leaveByDirectory } from '@svc/operations/people/scim/set-active.ts';
import { deleteDirectoryUser, findDirectoryUser } from '@svc/postgres/people/scim/users.ts';
import type { PeopleDeps } from '../deps.ts';

export const deleteScimUser: Handler<Endpoints['deleteScimUser'], PeopleDeps> = (call) => {
  const { organization_id } = call.scope;
  return call.change(async (change) => {
    const before = await findDirectoryUser(change.tx, organization_id, { by: 'id', value: call.params.directoryUserId });
    if (!before) return call.refuse('NOT_FOUND');
    const refused = await leaveByDirectory(change, { organization_id, made_by: call.directory.madeBy, now: call.now }, before.id);
    if (isRefusal(refused)) return refused;
    await deleteDirectoryUser(change.tx, organization_id, before.id, call.now);
    return null;
  });
};
