import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { ExchangeRate } from '@svc/contract/money/fx-rates.ts';
import { newRateTable, ratesInForce } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readRefresh } from '@svc/postgres/money/fx-rates/exchange-rate-refreshes.ts';
import { readRates } from '@svc/postgres/money/fx-rates/fx-rates.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { MoneyDeps } from '../deps.ts';

const byPair = (one: ExchangeRate, other: ExchangeRate): number =>
  one.base_currency.localeCompare(other.base_currency) || one.quote_currency.localeCompare(other.quote_currency);
const bySoonest = (one: ExchangeRate, other: ExchangeRate): number =>
  one.effective_at.localeCompare(other.effective_at) || one.id.localeCompare(other.id);

export const getExchangeRates: Handler<Endpoints['getExchangeRates'], MoneyDeps> = ({ database, scope, now }, { settings }) =>
  readInTenant(database, scope, async (tx) => {
    const { base_currency } = await readOrganization(tx, scope.organization_id);
    const stored = await readRates(tx, scope.organization_id);
    const inForce = ratesInForce(newRateTable(base_currency, stored), now);
    const refresh = await readRefresh(tx, scope.organization_id);
    const provider = settings.exchangeRateProvider;
    return {
      base_currency,
      rates: stored.filter(({ id }) => inForce.has(id)).sort(byPair),
      upcoming: stored.filter(({ effective_at }) => Date.parse(effective_at) > now.getTime()).sort(bySoonest),
      provider: {
        configured: provider !== undefined,
        refresh_seconds: provider?.refreshSeconds ?? null,
        ...(refresh ?? { attempted_at: null, succeeded_at: null, failure: null }),
      },
    };
  });
