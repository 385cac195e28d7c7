import type { PolicyContext } from '../evaluation/policy-context.ts';

/** Returns the request as a version in one currency sees it. If the amount is unknown in that currency it is unknown. */
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

/** Returns true if any value of the request is known in several currencies. */
export const hasCurrencies = ({ amounts, velocity_amounts }: PolicyContext): boolean =>
  amounts !== undefined || velocity_amounts !== undefined;
