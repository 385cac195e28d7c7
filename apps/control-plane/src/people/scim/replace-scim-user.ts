import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { replacementSetsInactive } from '@svc/domain/people/scim/sets-inactive.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { changeUser } from '@svc/operations/people/scim/change-user.ts';
import { findDirectoryUser } from '@svc/postgres/people/scim/users.ts';
import type { PeopleDeps } from '../deps.ts';
import { deactivateOnly } from './resources/deactivate.ts';
import { formatUser, selectAttributes } from './resources/format-resources.ts';
import { readUser } from './resources/read-user.ts';

const replace: Handler<Endpoints['replaceScimUser'], PeopleDeps> = async (call, deps) => {
  const said = await readUser(call.body);
  if (isRefusal(said)) return said;
  const { organization_id } = call.scope;
  const proving = { desk: deps, posting: call, organizationId: organization_id, by: 'SCIM' } as const;
  return call.change(
    async (change) => {
      const before = await findDirectoryUser(change.tx, organization_id, { by: 'id', value: call.params.directoryUserId });
      if (!before) return call.refuse('NOT_FOUND');
      const after = await changeUser(change, { organization_id, made_by: call.directory.madeBy, now: call.now, proving }, before, said);
      if (isRefusal(after)) return after;
      return after ? selectAttributes(formatUser(after, getScimBaseUrl(deps)), call.query) : call.refuse('NOT_FOUND');
    },
    { scim_users_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'There is another user of this name.') },
  );
};

export const replaceScimUser: Handler<Endpoints['replaceScimUser'], PeopleDeps> = async (call, deps) => {
  const changed = await replace(call, deps);
  return isRefusal(changed) && replacementSetsInactive(call.body) ? deactivateOnly(call, deps) : changed;
};
