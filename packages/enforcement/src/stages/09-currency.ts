import { convertAmount, findRateRefusal, needsNoRate } from '../facts/amounts.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { defineStage, PASSED, requireKnown, type StageAnswer } from '../facts/stage.ts';

const REFUSES = ['UNPROCESSABLE'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

/**
 * Converts the amount. Rules compare amounts in their own currency; without a rate another currency cannot be compared, so it is refused.
 */
const checkCurrency = (facts: Facts, learned: Learned): Answer => {
  const { amount, currency } = requireKnown(learned.derived, 'request');
  if (amount === null || currency === null || needsNoRate(facts, currency)) return PASSED;
  const { amounts, failed } = convertAmount(facts, amount, currency);
  return failed ? { ...findRateRefusal(failed), learned: { amounts } } : { outcome: 'passed', learned: { amounts } };
};

export const currency = defineStage({ name: 'currency', relaxedByObserve: false, refuses: REFUSES, check: checkCurrency });
