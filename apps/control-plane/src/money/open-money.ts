import { newRateProvider } from '@svc/operations/money/fx-rates/provider/new-rate-provider.ts';
import type { MoneyDeps } from './deps.ts';

export const openMoney = ({ settings, cursorKey }: Omit<MoneyDeps, 'rateProvider'>): MoneyDeps => ({
  settings,
  cursorKey,
  rateProvider: settings.exchangeRateProvider && newRateProvider(settings.exchangeRateProvider),
});
