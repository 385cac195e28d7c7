import type { RateSource } from '@svc/contract/money/fx-rates.ts';
import type { MaybeTime, Tenant, Time } from './column-types.ts';

/** The tables of exchange rates, as `Tables` has them. */
export type ExchangeRateTables = {
  exchange_rates: Tenant & {
    id: string;
    base_currency: string;
    quote_currency: string;
    rate: string;
    source: RateSource;
    effective_at: Time;
    created_at: Time;
    created_by: string;
    deleted_at: MaybeTime;
  };
  exchange_rate_refreshes: Tenant & { base_currency: string; attempted_at: Time; succeeded_at: MaybeTime; failure: string | null };
};
