import type { MoneyDeps } from './deps.ts';
import { newRateProvider } from './fx-rates/provider/new-rate-provider.ts';

export const openMoney = ({ settings, cursorKey }: Omit<MoneyDeps, 'rateProvider'>): MoneyDeps => ({
  settings,
  cursorKey,
  rateProvider: settings.exchangeRateProvider && newRateProvider(settings.exchangeRateProvider),
});
