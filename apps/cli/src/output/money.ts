/** Digits after the point of a currency (ISO 4217), by the data of the runtime. */
const currencyDigits = (currency: string): number => {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch (error) {
    if (error instanceof RangeError) return 2;
    throw error;
  }
};

/** An amount of minor units as people write it: 900.00 USD. */
export const formatAmount = (amount: number | null | undefined, currency: string | null | undefined): string => {
  if (amount === null || amount === undefined) return '';
  if (currency === null || currency === undefined) return `${amount} minor units`;
  const digits = currencyDigits(currency);
  const text = (amount / 10 ** digits).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${text} ${currency}`;
};

/** Minor units of an amount such as 900.00; undefined if it is no amount of the currency. */
export const parseAmount = (text: string, currency: string): number | undefined => {
  const { whole, part = '' } = /^(?<whole>\d{1,13})(?:\.(?<part>\d{1,4}))?$/.exec(text)?.groups ?? {};
  const digits = currencyDigits(currency);
  if (whole === undefined || part.length > digits) return undefined;
  return Number(`${whole}${part.padEnd(digits, '0')}`);
};
