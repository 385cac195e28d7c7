import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { findTimeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { searchActions as search } from '@svc/postgres/actions/actions/actions.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';

const LIST = 'actions';

export const searchActions: Handler<Endpoints['searchActions'], ActionsDeps> = async (call, deps) => {
  const wrongTime = findTimeFilterRefusal(call.query);
  if (wrongTime) return wrongTime;
  const page = readPage(call, deps.cursorKey, LIST);
  if (isRefusal(page)) return page;
  const { rows, stoppedAt } = await searchInTenant(call.database, call.scope, (tx) =>
    search(tx, call.scope.organization_id, call.query, page),
  );
  return buildPage(rows, page, deps.cursorKey, stoppedAt);
};
