import { GovernanceError } from '../wire/errors.ts';

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** An unreachable address is reported soon; a short restart of the gateway is bridged. */
const UNREACHABLE_ATTEMPTS_MAX = 4;

/** Parses the seconds of a Retry-After header, which is a number or a date; undefined if it is neither. */
export const readRetryAfter = (header: string | null, nowMs: number): number | undefined => {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, (atMs - nowMs) / 1000);
};

/** Returns a random delay between half and all of an exponential backoff, so that callers that failed together do not retry together. */
const jittered = (attempt: number): number => Math.min(FIRST_MS * 2 ** Math.min(attempt, 16), LONGEST_MS) * (0.5 + Math.random() / 2);

const isWorthRepeating = (error: GovernanceError, attempt: number, lostAnswer: boolean): boolean => {
  if (error.status === 429 || error.status === 503) return true;
  if (error.status === 500) return attempt === 0;
  if (error.code === 'GATEWAY_UNREACHABLE') return attempt < UNREACHABLE_ATTEMPTS_MAX - 1;
  // The request whose response was lost is still running: this is a conflict with itself, and waiting helps.
  return error.code === 'CONFLICT' && lostAnswer && error.retryAfterSeconds !== undefined;
};

/**
 * Returns the delay before a repeatable request is sent again; undefined if it must not be. `attempt` counts from 0. `lostAnswer`: an
 * earlier attempt may have arrived without a response.
 */
export const getRetryDelayMs = (error: unknown, attempt: number, lostAnswer: boolean): number | undefined => {
  if (!(error instanceof GovernanceError) || !isWorthRepeating(error, attempt, lostAnswer)) return undefined;
  return (error.retryAfterSeconds ?? 0) * 1000 + jittered(attempt);
};
