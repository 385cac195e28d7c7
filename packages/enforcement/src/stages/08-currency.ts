import type { Facts, Learned } from '../facts.ts';
import { known, PASSED, refused, type Stage, type StageAnswer } from '../stage.ts';

/** Rules compare amounts in the base currency; without a rate another currency cannot be compared, so it is refused. */
const checkCurrency = ({ environment }: Facts, learned: Learned): StageAnswer => {
  const { amount, currency } = known(learned.derived, 'request');
  if (amount === null || currency === null || currency === environment.base_currency) return PASSED;
  return refused('UNPROCESSABLE', `There is no exchange rate from ${currency} to ${environment.base_currency}.`, {
    currency,
    base_currency: environment.base_currency,
  });
};

export const currency: Stage = { name: 'currency', relaxedByObserve: false, check: checkCurrency };
