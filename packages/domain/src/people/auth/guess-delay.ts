import { LIMITS } from '@svc/contract/tables/limits.ts';

const { delayMs: first, delayDoublesEveryCount: every, delayMsMax: max } = LIMITS.addressGuesses;

/** Returns the delay of the response to a guess in milliseconds, by the failures of its address beyond the free ones. */
export const guessDelayMs = (failuresBeyond: number): number =>
  failuresBeyond <= 0 ? 0 : Math.min(max, Math.round(first * 2 ** (failuresBeyond / every)));
