import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { getScimBaseUrl } from '@svc/operations/people/scim/base-url.ts';
import { deactivateUser } from '@svc/operations/people/scim/deactivate-user.ts';
import type { PeopleDeps } from '../../deps.ts';
import { formatUser, selectAttributes } from './format-resources.ts';

type Changing = Omit<Call<Endpoints['patchScimUser']>, 'body'>;

/** Deprovisioning always works: applies the deactivation alone of a request whose other changes were refused. */
export const deactivateOnly = (call: Changing, deps: PeopleDeps) =>
  call.change(async (change) => {
    const directed = { organization_id: call.scope.organization_id, made_by: call.directory.madeBy, now: call.now };
    const after = await deactivateUser(change, directed, call.params.directoryUserId);
    return isRefusal(after) ? after : selectAttributes(formatUser(after, getScimBaseUrl(deps)), call.query);
  });
