import type { KeyObject } from 'node:crypto';
import type { RateProvider, RateProviderSettings } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';

/** Dependencies of the handlers of exchange rates. */
export type MoneyDeps = {
  readonly settings: { readonly exchangeRateProvider: (RateProviderSettings & { readonly refreshSeconds: number }) | undefined };
  /** Undefined if no provider is configured. */
  readonly rateProvider: RateProvider | undefined;
  readonly cursorKey: KeyObject;
};
