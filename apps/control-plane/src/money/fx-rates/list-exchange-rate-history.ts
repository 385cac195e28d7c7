import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listRateHistory } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import type { MoneyDeps } from '../deps.ts';

export const listExchangeRateHistory: Handler<Endpoints['listExchangeRateHistory'], MoneyDeps> = async (call, { cursorKey }) => {
  const page = readPage(call, cursorKey, 'fx-rates');
  if (isRefusal(page)) return page;
  const rows = await searchInTenant(call.database, call.scope, (tx) => listRateHistory(tx, call.scope.organization_id, page));
  return buildPage(rows, page, cursorKey);
};
