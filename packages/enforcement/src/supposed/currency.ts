import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { type AmountIn, amountContext, convertAmount, needsNoRate, rateRefusal } from '../facts/amounts.ts';
import type { Facts } from '../facts/facts.ts';
import { PASSED } from '../facts/stage.ts';
import { SKIPPED, type Supposing } from './supposing.ts';

const currencyOf = ({ request, environment }: Facts): string => request.currency ?? environment.base_currency;

/** Converts the amount as far as it is known. Without a rate it stays unknown to rules. */
export const supposedCurrency: Supposing<'UNPROCESSABLE'> = (facts) => {
  const { amount } = facts.request;
  if (amount === undefined) return SKIPPED;
  const currency = currencyOf(facts);
  if (needsNoRate(facts, currency)) return PASSED;
  const { amounts, failed } = convertAmount(facts, amount, currency);
  return failed === undefined ? { outcome: 'passed', learned: { amounts } } : { ...rateRefusal(failed), learned: { amounts } };
};

/** Returns the amount for rules, in each currency with a rate. */
export const supposedAmount = (
  facts: Facts,
  amounts: readonly AmountIn[] | undefined,
): Pick<PolicyContext, 'amount' | 'amounts' | 'currency'> => {
  const { amount, currency: stated } = facts.request;
  if (amount === undefined) return stated === undefined ? {} : { currency: stated };
  return { ...(amounts ? amountContext(facts, amounts) : { amount }), currency: currencyOf(facts) };
};
