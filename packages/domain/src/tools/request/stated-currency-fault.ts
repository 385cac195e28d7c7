import type { Fault } from '../fault.ts';
import type { FieldSources } from './derive-fields.ts';

/**
 * Returns why a stated currency is not accepted; undefined if it is. If a tool declares its amount in the parameters and no currency,
 * the tool treats that amount as one of the base currency and ignores the currency of the request: a weaker currency would show policies a
 * smaller amount than the tool receives.
 */
export const findStatedCurrencyFault = (
  { amount_from, currency_from }: FieldSources,
  stated: string | undefined,
  baseCurrency: string,
): Fault | undefined => {
  const isChosen = typeof amount_from === 'string' && typeof currency_from !== 'string';
  if (!isChosen || stated === undefined || stated === baseCurrency) return undefined;
  const message = `must be ${baseCurrency} or omitted, because the tool takes its amount from /parameters${amount_from} and declares no currency. To use another currency, declare currency_from on the tool`;
  return { pointer: '/currency', message };
};
