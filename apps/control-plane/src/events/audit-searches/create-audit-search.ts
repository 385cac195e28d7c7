import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findRoomRefusal, NAME_TAKEN, refuseSharing } from '@svc/domain/events/audit-searches/capacity-refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { countSaved, insertSaved, takeSavingTurn } from '@svc/postgres/events/audit-searches.ts';
import type { EventsDeps } from '../deps.ts';
import { filterRefusal } from './saved/filter-refusal.ts';
import { formatSearch } from './saved/format-search.ts';

export const createAuditSearch: Handler<Endpoints['createAuditSearch'], EventsDeps> = (call) => {
  const { body, caller, scope, now } = call;
  const { name, filter, shared = false } = body;
  const refused = filterRefusal(filter) ?? refuseSharing(shared, scope);
  if (refused) return refused;
  return call.change(
    async ({ tx }) => {
      const { organization_id } = scope;
      await takeSavingTurn(tx, organization_id);
      const full = findRoomRefusal(await countSaved(tx, organization_id, caller.actor.id), { owns: true, shares: shared });
      if (full) return full;
      const id = call.newId('audit_search');
      const owner = { owner_type: caller.actor.type, owner_id: caller.actor.id };
      return formatSearch(
        await insertSaved(tx, {
          organization_id,
          id,
          ...owner,
          name,
          filter: JSON.stringify(filter),
          shared,
          created_at: now,
          updated_at: now,
        }),
      );
    },
    { audit_searches_name_is_unique: () => call.refuse('ALREADY_EXISTS', NAME_TAKEN) },
  );
};
