import type { None } from './none.ts';

/**
 * Whose requests are counted within a minute, besides those of every address (`LIMITS.rates.addressPerMinute`):
 * - `caller`: those of the person or key, and of their organization as a whole, but for emergencies;
 * - `emergency`: those of the person or key that stop something. Counted by each process for itself and apart from every other budget, so that
 *   neither a shared store that is away nor other requests of the caller or the organization keep anyone from stopping something;
 * - `agent`: those of the agent, and of all agents of its organization;
 * - `directory`: those of an organization's directory, and of the organization as a whole;
 * - `guess`: guesses at a secret, by the session they come from, and by the address where nobody has signed in;
 * - `sign_in`: as `guess`, on the way to an emergency: while the shared store is away, each process counts for itself;
 * - `sign_in_start`: as `newcomer`, on the way to an emergency, likewise;
 * - `mail`: those that mail a code before anyone has signed in, by address;
 * - `newcomer`: those of an address that nobody has signed in from;
 * - `assertion`: those of the agent that an assertion proves, taken by the handler once it is proved, so that nobody spends another's;
 * - `address`: nothing besides: it is the same for everybody, and made once.
 */
export type CountedBudget =
  | 'caller'
  | 'emergency'
  | 'agent'
  | 'directory'
  | 'guess'
  | 'sign_in'
  | 'mail'
  | 'newcomer'
  | 'sign_in_start'
  | 'assertion'
  | 'address';

/** With `none`, not even those of the address but for `LIMITS.health`. */
export type Budget = CountedBudget | None;

/** Nothing at all is counted. */
export const isUncounted = (budget: Budget): budget is None => typeof budget === 'object';
