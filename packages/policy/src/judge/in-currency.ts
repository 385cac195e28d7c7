import type { PolicyContext } from '../evaluation/policy-context.ts';

/** The request as a version written in one currency sees it. Where the amount is not known in that currency it is not known at all. */
export const inCurrency = (context: PolicyContext, currency: string): PolicyContext => {
  const { amount: same, velocity, amounts, velocity_amounts, ...rest } = context;
  const amount = amounts === undefined ? same : amounts.get(currency);
  const { amount_24h: sameSum, ...calls } = velocity ?? {};
  const amount_24h = velocity_amounts === undefined ? sameSum : velocity_amounts.get(currency);
  return {
    ...rest,
    ...(amount === undefined ? {} : { amount }),
    ...(velocity === undefined ? {} : { velocity: { ...calls, ...(amount_24h === undefined ? {} : { amount_24h }) } }),
  };
};

/** Whether anything in the request is known in several currencies. */
export const hasCurrencies = ({ amounts, velocity_amounts }: PolicyContext): boolean =>
  amounts !== undefined || velocity_amounts !== undefined;
