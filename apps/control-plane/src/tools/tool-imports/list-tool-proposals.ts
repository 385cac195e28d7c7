import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listProposals } from '@svc/postgres/tools/tool-imports/proposals.ts';
import { findImport } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import type { ToolsDeps } from '../deps.ts';

export const listToolProposals: Handler<Endpoints['listToolProposals'], ToolsDeps> = async (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, state, q } = call.query;
  const { organization_id } = call.scope;
  const found = await searchInTenant(call.database, call.scope, async (tx) => {
    const row = await findImport(tx, { organization_id, id: call.params.importId });
    return row && listProposals(tx, row, { limit, offset, state, q });
  });
  return found ?? call.refuse('NOT_FOUND');
};
