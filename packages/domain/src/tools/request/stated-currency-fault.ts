import type { Fault } from '../fault.ts';
import type { FieldSources } from './derive-fields.ts';

/**
 * Why the currency that a request states is not believed; undefined when it is. Where a tool takes its amount from the parameters and its
 * currency from nowhere, the tool takes that amount for one of the base currency, whatever currency is stated beside it: a weaker one would
 * show policies a smaller amount than the tool receives.
 */
export const statedCurrencyFault = (
  { amount_from, currency_from }: FieldSources,
  stated: string | undefined,
  baseCurrency: string,
): Fault | undefined => {
  const isChosen = typeof amount_from === 'string' && typeof currency_from !== 'string';
  if (!isChosen || stated === undefined || stated === baseCurrency) return undefined;
  const message = `must be ${baseCurrency} or omitted, because the tool takes its amount from /parameters${amount_from} and declares no currency. To use another currency, declare currency_from on the tool`;
  return { pointer: '/currency', message };
};
