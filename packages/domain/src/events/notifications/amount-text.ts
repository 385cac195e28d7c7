import { currencyExponent } from '@svc/contract/tables/currencies.ts';

/** Minor units of a currency as people write them, `12.50 EUR`; undefined where there is no amount. */
export const amountText = (amount: number | null, currency: string | null): string | undefined => {
  if (amount === null || currency === null) return undefined;
  const places = currencyExponent(currency) ?? 0;
  const digits = String(amount).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${places === 0 ? whole : `${whole}.${digits.slice(-places)}`} ${currency}`;
};
