import { convertAmount, needsNoRate, rateRefusal } from '../facts/amounts.ts';
import type { Facts, Learned } from '../facts/facts.ts';
import { known, PASSED, type StageAnswer, stage } from '../facts/stage.ts';

const REFUSES = ['UNPROCESSABLE'] as const;
type Answer = StageAnswer<(typeof REFUSES)[number]>;

/**
 * Converts the amount. Rules compare amounts in their own currency; without a rate another currency cannot be compared, so it is refused.
 */
const checkCurrency = (facts: Facts, learned: Learned): Answer => {
  const { amount, currency } = known(learned.derived, 'request');
  if (amount === null || currency === null || needsNoRate(facts, currency)) return PASSED;
  const { amounts, failed } = convertAmount(facts, amount, currency);
  return failed ? { ...rateRefusal(failed), learned: { amounts } } : { outcome: 'passed', learned: { amounts } };
};

export const currency = stage({ name: 'currency', relaxedByObserve: false, refuses: REFUSES, check: checkCurrency });
