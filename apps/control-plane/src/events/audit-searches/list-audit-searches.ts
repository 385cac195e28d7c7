import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listSaved } from '@svc/postgres/events/audit-searches.ts';
import type { EventsDeps } from '../deps.ts';
import { formatSearch } from './saved/format-search.ts';

export const listAuditSearches: Handler<Endpoints['listAuditSearches'], EventsDeps> = async ({ database, scope, caller }) => {
  const withShared = !scope.workspace_ids && !scope.environment_id;
  const asked = { organization_id: scope.organization_id, owner_id: caller.actor.id, withShared };
  return (await readInTenant(database, scope, (tx) => listSaved(tx, asked))).map(formatSearch);
};
