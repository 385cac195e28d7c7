import { LIMITS } from '@svc/contract/tables/limits.ts';

const { delayMs: first, delayDoublesEveryCount: every, delayMsMax: max } = LIMITS.addressGuesses;

/** Milliseconds by which the answer to a guess is delayed, by the failures of its address beyond those that are free. */
export const guessDelayMs = (failuresBeyond: number): number =>
  failuresBeyond <= 0 ? 0 : Math.min(max, Math.round(first * 2 ** (failuresBeyond / every)));
