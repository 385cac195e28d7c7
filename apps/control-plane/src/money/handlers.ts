import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { MoneyDeps } from './deps.ts';
import { createExchangeRate } from './fx-rates/create-exchange-rate.ts';
import { deleteExchangeRate } from './fx-rates/delete-exchange-rate.ts';
import { getExchangeRates } from './fx-rates/get-exchange-rates.ts';
import { listExchangeRateHistory } from './fx-rates/list-exchange-rate-history.ts';
import { refreshExchangeRates } from './fx-rates/refresh-exchange-rates.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const moneyHandlers: AreaHandlers<'control', 'money', MoneyDeps> = {
  getExchangeRates,
  listExchangeRateHistory,
  createExchangeRate,
  deleteExchangeRate,
  refreshExchangeRates,
};
