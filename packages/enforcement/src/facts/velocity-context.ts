import { convertMinor } from '@svc/domain/money/fx-rates/convert.ts';
import type { PolicyContext } from '@svc/policy/evaluation/policy-context.ts';
import type { Facts, Velocity } from './facts.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * Sums amounts. One without a rate to the currency, or more than can be added up, counts as the maximum, so that it cannot bypass a rule.
 */
const sumIn = ({ environment, now }: Facts, { amounts_24h }: Velocity, currency: string): number => {
  if (amounts_24h === null) return MOST;
  let sum = 0;
  for (const { amount, currency: from } of amounts_24h) {
    const converted = convertMinor(amount, from, currency, environment.rates, now);
    sum = Math.min(MOST, sum + ('ok' in converted ? converted.ok : MOST));
  }
  return sum;
};

/** Returns the recent permitted actions of the agent for rules; empty if no rule reads them. */
export const getVelocityContext = (facts: Facts): Pick<PolicyContext, 'velocity' | 'velocity_amounts'> => {
  const { velocity, environment } = facts;
  if (velocity === undefined) return {};
  const { amounts_24h: _, ...calls } = velocity;
  const amount_24h = sumIn(facts, velocity, environment.base_currency);
  const sums = [...environment.policies.amount_currencies].map((currency) => [currency, sumIn(facts, velocity, currency)] as const);
  return { velocity: { ...calls, amount_24h }, velocity_amounts: new Map(sums) };
};
