import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteSaved, lockSaved } from '@svc/postgres/events/audit-searches.ts';
import type { EventsDeps } from '../deps.ts';
import { formatSearch } from './saved/format-search.ts';

export const deleteAuditSearch: Handler<Endpoints['deleteAuditSearch'], EventsDeps> = (call) => {
  const { caller, scope, params } = call;
  const seesAll = !scope.workspace_ids && !scope.environment_id;
  return call.change(async ({ tx }) => {
    const before = await lockSaved(tx, { organization_id: scope.organization_id, id: params.searchId });
    const isTheirs = before?.owner_id === caller.actor.id;
    // The author of the search may have left and cannot delete it.
    const isShared = before?.shared === true && seesAll && call.holds('organization:update');
    if (!before || !(isTheirs || isShared)) return call.refuse('NOT_FOUND');
    await deleteSaved(tx, before);
    return formatSearch(before);
  });
};
