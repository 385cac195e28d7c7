import { LIMITS } from '@svc/contract/tables/limits.ts';

const { guessDelayMs: first, guessDelayDoublesEvery: every, guessDelayMsMax: max } = LIMITS.sessions;

/** Milliseconds by which the answer to a guess is delayed, by the failures of its address beyond those that are free. */
export const guessDelayMs = (failuresBeyond: number): number =>
  failuresBeyond <= 0 ? 0 : Math.min(max, Math.round(first * 2 ** (failuresBeyond / every)));
