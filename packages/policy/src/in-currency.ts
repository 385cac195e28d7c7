import type { PolicyContext } from './context.ts';

/** The request as a version written in one currency sees it. Where the amount is not known in that currency it is not known at all. */
export const inCurrency = (context: PolicyContext, amounts: ReadonlyMap<string, number>, currency: string): PolicyContext => {
  const { amount: _, ...rest } = context;
  const amount = amounts.get(currency);
  return amount === undefined ? rest : { ...rest, amount };
};
