import { getCurrencyExponent } from '@svc/contract/tables/currencies.ts';

/** An amount in minor units as a field shows it: `1750.00`. */
export const majorText = (minor: number, currency: string | null): string =>
  currency === null ? String(minor) : (minor / 10 ** (getCurrencyExponent(currency) ?? 0)).toFixed(getCurrencyExponent(currency) ?? 0);

/** The minor units of an amount as it was entered. Texts that are no amount are returned as they are, and the service refuses them. */
export const minorUnits = (text: string, currency: string | null): number | string => {
  const places = currency === null ? 0 : (getCurrencyExponent(currency) ?? 0);
  const match = /^(\d+)(?:[.,](\d+))?$/.exec(text.trim());
  const [, whole, fraction = ''] = match ?? [];
  if (whole === undefined || fraction.length > places) return text;
  return Number(whole) * 10 ** places + Number(fraction.padEnd(places, '0') || '0');
};

/** Minor units as people write them, with grouped digits: `1,750.00 USD`. Without a currency, the number as it was counted. */
export const formatMoney = (amount: number, currency: string | null | undefined): string => {
  const places = currency === null || currency === undefined ? 0 : (getCurrencyExponent(currency) ?? 0);
  const digits = String(Math.abs(amount)).padStart(places + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - places)).toLocaleString('en-US');
  const text = places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
  return `${amount < 0 ? '-' : ''}${text}${currency === null || currency === undefined ? '' : ` ${currency}`}`;
};
