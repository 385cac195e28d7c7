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
