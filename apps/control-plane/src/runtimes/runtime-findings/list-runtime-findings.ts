import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { asFinding } from '@svc/operations/runtimes/runtime-findings/as-finding.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listRuntimeFindings as list } from '@svc/postgres/runtimes/runtime-findings.ts';
import type { RuntimesDeps } from '../deps.ts';

export const listRuntimeFindings: Handler<Endpoints['listRuntimeFindings'], RuntimesDeps> = async (call, { cursorKey }) => {
  const page = readPage(call, cursorKey, 'runtime-findings');
  if (isRefusal(page)) return page;
  const { dormant, cursor: _, limit: __, ...filter } = call.query;
  const isDormant = dormant === undefined ? undefined : dormant === 'true';
  const rows = await searchInTenant(call.database, call.scope, (tx) =>
    list(tx, call.scope.organization_id, { ...filter, dormant: isDormant, ...page }),
  );
  return buildPage(rows.map(asFinding), page, cursorKey);
};
