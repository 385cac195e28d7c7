import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findRoomRefusal, NAME_TAKEN, refuseSharing } from '@svc/domain/events/audit-searches/capacity-refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { countSaved, lockSaved, takeSavingTurn, updateSaved } from '@svc/postgres/events/audit-searches.ts';
import type { EventsDeps } from '../deps.ts';
import { filterRefusal } from './saved/filter-refusal.ts';
import { formatSearch } from './saved/format-search.ts';

export const updateAuditSearch: Handler<Endpoints['updateAuditSearch'], EventsDeps> = (call) => {
  const { body, caller, scope, params, now } = call;
  if (Object.keys(body).length === 0) return call.fault('', 'Send at least one member to change.');
  const { filter, ...rest } = body;
  const refused = filterRefusal(filter ?? {});
  if (refused) return refused;
  return call.change(
    async ({ tx }) => {
      const { organization_id } = scope;
      await takeSavingTurn(tx, organization_id);
      const before = await lockSaved(tx, { organization_id, id: params.searchId });
      if (before?.owner_id !== caller.actor.id) return call.refuse('NOT_FOUND');
      // A change of any part of a shared search is visible to all.
      const beyond = refuseSharing(body.shared ?? before.shared, scope);
      if (beyond) return beyond;
      const shares = body.shared === true && !before.shared;
      const full = findRoomRefusal(await countSaved(tx, organization_id, caller.actor.id), { owns: false, shares });
      return (
        full ?? formatSearch(await updateSaved(tx, before, { ...rest, ...(filter && { filter: JSON.stringify(filter) }), updated_at: now }))
      );
    },
    { audit_searches_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
