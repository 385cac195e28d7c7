import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { type AmountIn, convertAmount, findRateRefusal, getAmountContext, needsNoRate } from '../facts/amounts.ts';
import type { Facts } from '../facts/facts.ts';
import { PASSED } from '../facts/stage.ts';
import { SKIPPED, type Supposing } from './supposing.ts';

const getCurrency = ({ request, environment }: Facts): string => request.currency ?? environment.base_currency;

/** Converts the amount as far as it is known. Without a rate it stays unknown to rules. */
export const simulateCurrency: Supposing<'UNPROCESSABLE'> = (facts) => {
  const { amount } = facts.request;
  if (amount === undefined) return SKIPPED;
  const currency = getCurrency(facts);
  if (needsNoRate(facts, currency)) return PASSED;
  const { amounts, failed } = convertAmount(facts, amount, currency);
  return failed === undefined ? { outcome: 'passed', learned: { amounts } } : { ...findRateRefusal(failed), learned: { amounts } };
};

/** Returns the amount for rules, in each currency with a rate. */
export const simulateAmount = (
  facts: Facts,
  amounts: readonly AmountIn[] | undefined,
): Pick<PolicyContext, 'amount' | 'amounts' | 'currency'> => {
  const { amount, currency: stated } = facts.request;
  if (amount === undefined) return stated === undefined ? {} : { currency: stated };
  return { ...(amounts ? getAmountContext(facts, amounts) : { amount }), currency: getCurrency(facts) };
};
