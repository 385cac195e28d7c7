import type { Explanation } from '@svc/contract/actions/decisions.ts';
import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import type { ReadyRate } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import type { Facts } from './facts.ts';
import { type Refused, refuseStage } from './stage.ts';

/** The amount of a request in one currency, and the rates of the conversion. */
export type AmountIn = { readonly currency: string; readonly amount: number; readonly by: readonly ReadyRate[] };

export type Failed = { readonly missing: readonly [string, string] } | { readonly too_large: readonly [string, string] };

/** The amount of a request in every currency that rules compare, as far as there are rates. */
export type Converted = { readonly amounts: readonly AmountIn[]; readonly failed: Failed | undefined };

/** True if rules compare amounts in the base currency only. */
const comparesInBaseOnly = ({ environment }: Facts): boolean => {
  const { amount_currencies } = environment.policies;
  return amount_currencies.size === 0 || (amount_currencies.size === 1 && amount_currencies.has(environment.base_currency));
};

/** True if no conversion is needed: the request has the only currency that rules compare. */
export const needsNoRate = (facts: Facts, currency: string): boolean =>
  currency === facts.environment.base_currency && comparesInBaseOnly(facts);

/** Returns the currencies in which rules in force compare amounts; the base currency if none does. */
const comparedIn = ({ environment }: Facts): Iterable<string> => {
  const { amount_currencies } = environment.policies;
  return amount_currencies.size === 0 ? [environment.base_currency] : amount_currencies;
};

/** Converts an amount to each compared currency at the current rates. */
export const convertAmount = (facts: Facts, amount: number, currency: string): Converted => {
  const { environment, now } = facts;
  const amounts: AmountIn[] = [];
  let failed: Failed | undefined;
  for (const to of comparedIn(facts)) {
    const found = convertMinor(amount, currency, to, environment.rates, now);
    if ('ok' in found) amounts.push({ currency: to, amount: found.ok, by: found.by });
    else failed ??= found;
  }
  return { amounts, failed };
};

/** Refuses a request whose amount has no rate and so cannot be compared; states the remedy. */
export const findRateRefusal = (failed: Failed): Refused<'UNPROCESSABLE'> => {
  const [currency, into] = 'missing' in failed ? failed.missing : failed.too_large;
  const reason =
    'missing' in failed
      ? `There is no exchange rate between ${currency} and ${into}, the currency of the comparison. A user who may change the organization can set one with POST /v1/fx-rates.`
      : `The amount is too large to be compared in ${into}.`;
  return refuseStage('UNPROCESSABLE', reason, { currency, into });
};

/** Returns the amount for rules: in the base currency, and in each other currency that rules use. */
export const getAmountContext = (facts: Facts, amounts: readonly AmountIn[]): Pick<PolicyContext, 'amount' | 'amounts'> => {
  const base = amounts.find(({ currency }) => currency === facts.environment.base_currency);
  return {
    ...(base ? { amount: base.amount } : {}),
    ...(comparesInBaseOnly(facts) ? {} : { amounts: new Map(amounts.map(({ currency, amount }) => [currency, amount])) }),
  };
};

const explainRate = ({ id, base_currency, quote_currency, rate, source, effective_at, effectiveMs }: ReadyRate, now: Date) => ({
  id,
  base_currency,
  quote_currency,
  rate,
  source,
  effective_at,
  age_seconds: Math.floor((now.getTime() - effectiveMs) / 1000),
});

/** Explains each conversion with its rates and their age. Undefined if there was none. */
export const explainConversions = (amounts: readonly AmountIn[] | undefined, now: Date): Explanation['conversions'] => {
  const reckoned = amounts?.filter(({ by }) => by.length > 0) ?? [];
  if (reckoned.length === 0) return undefined;
  return reckoned.map(({ currency, amount, by }) => ({ currency, amount, rates: by.map((rate) => explainRate(rate, now)) }));
};
