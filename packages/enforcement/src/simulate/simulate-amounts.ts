import type { StageFinding } from '@svc/contract/actions/decisions.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import { type AmountIn, amountContext, convertAmount, needsNoRate, rateRefusal } from '../facts/amounts.ts';
import type { Facts } from '../facts/facts.ts';

export type SupposedAmounts = {
  readonly amounts: readonly AmountIn[] | undefined;
  readonly finding: StageFinding;
  readonly refused: { readonly code: 'UNPROCESSABLE'; readonly reason: string } | undefined;
};

const currencyOf = ({ request, environment }: Facts): string => request.currency ?? environment.base_currency;

/** Reckons the amount of a request nobody has made, as far as it is told. What has no rate stays unknown to the rules. */
export const supposedAmounts = (facts: Facts): SupposedAmounts => {
  const { amount } = facts.request;
  if (amount === undefined) return { amounts: undefined, finding: { stage: 'currency', outcome: 'skipped' }, refused: undefined };
  const currency = currencyOf(facts);
  const passed: StageFinding = { stage: 'currency', outcome: 'passed' };
  if (needsNoRate(facts, currency)) return { amounts: undefined, finding: passed, refused: undefined };
  const { amounts, failed } = convertAmount(facts, amount, currency);
  if (failed === undefined) return { amounts, finding: passed, refused: undefined };
  const { code, reason = '' } = rateRefusal(failed);
  return { amounts, finding: { stage: 'currency', outcome: 'refused', code, note: reason }, refused: { code, reason } };
};

/** The amount as rules see it, in each currency it could be reckoned into. */
export const supposedContext = (
  facts: Facts,
  amounts: readonly AmountIn[] | undefined,
): Pick<PolicyContext, 'amount' | 'amounts' | 'currency'> => {
  const { amount, currency: stated } = facts.request;
  if (amount === undefined) return stated === undefined ? {} : { currency: stated };
  return { ...(amounts ? amountContext(facts, amounts) : { amount }), currency: currencyOf(facts) };
};
