import type { ReactNode } from 'react';
import { formatMoney } from '../data/money-text.ts';

type MoneyProps = { readonly amount: number | null; readonly currency: string | null };

/** An amount; nothing where there is none. */
export const Money = ({ amount, currency }: MoneyProps): ReactNode =>
  amount === null ? null : <span className="money">{formatMoney(amount, currency)}</span>;
