import { getCurrencyExponent } from '@svc/contract/tables/currencies.ts';
import type { ReactNode } from 'react';

/** Minor units as people write them, with grouped digits: `1,750.00 USD`. Without a currency, the number as it was counted. */
export const formatMoney = (amount: number, currency: string | null | undefined): string => {
  const places = currency === null || currency === undefined ? 0 : (getCurrencyExponent(currency) ?? 0);
  const digits = String(Math.abs(amount)).padStart(places + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - places)).toLocaleString('en-US');
  const text = places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
  return `${amount < 0 ? '-' : ''}${text}${currency === null || currency === undefined ? '' : ` ${currency}`}`;
};

type MoneyProps = { readonly amount: number | null; readonly currency: string | null };

/** An amount; nothing where there is none. */
export const Money = ({ amount, currency }: MoneyProps): ReactNode =>
  amount === null ? null : <span className="money">{formatMoney(amount, currency)}</span>;
