import type { None } from './none.ts';

/**
 * Rate limits of a row, in addition to that of every address (`LIMITS.rates.addressPerMinute`). Requests are counted within a minute:
 * - `caller`: by person or key, and by their organization as a whole, except for emergencies;
 * - `emergency`: by person or key, for requests that stop something. Counted per process and separately from every other budget, so that
 * an unavailable shared store, or other requests of the caller or the organization, cannot prevent a stop;
 * - `agent`: by agent, and by organization for all its agents;
 * - `directory`: by an organization's directory, and by the organization as a whole;
 * - `guess`: guesses at a secret, by session, or by address without one;
 * - `sign_in`: like `guess`, on the path to an emergency: while the shared store is unavailable, each process counts for itself;
 * - `sign_in_start`: like `newcomer`, on the path to an emergency, likewise;
 * - `mail`: requests that mail a code before sign-in, by address;
 * - `newcomer`: requests of an address without a session;
 * - `assertion`: by the agent that an assertion proves, counted by the handler after the proof, so that no one else can use the budget up;
 * - `address`: only the limit of the address: the response is the same for everyone, and built once.
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

/** With `none`, the address is not counted either, except for `LIMITS.health`. */
export type Budget = CountedBudget | None;

/** True if nothing at all is counted. */
export const isUncounted = (budget: Budget): budget is None => typeof budget === 'object';
