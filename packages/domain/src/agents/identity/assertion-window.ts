import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

type Times = { readonly issuedAtMs: number; readonly expiresAtMs: number };

const fault = ({ issuedAtMs, expiresAtMs }: Times, nowMs: number, windowMs: number): string | null => {
  // Each rule is written as "is it proven", so that a NaN from anywhere refuses.
  if (!(Math.abs(nowMs - issuedAtMs) <= windowMs)) return 'The issue time of the assertion differs too much from the time of this service.';
  if (!(expiresAtMs > nowMs)) return 'The assertion has expired.';
  if (!(expiresAtMs > issuedAtMs)) return 'The assertion expires before its issue time.';
  if (!(expiresAtMs - issuedAtMs <= LIMITS.assertions.lifetimeSecondsMax * 1000)) return 'The lifetime of the assertion is too long.';
  return null;
};

/** Null inside the window; otherwise a refusal with the server's time, by which a client can correct its clock. */
export const checkAssertionWindow = (times: Times, nowMs: number, windowSeconds: number): Refusal<'TIMESTAMP_OUT_OF_WINDOW'> | null => {
  const message = fault(times, nowMs, windowSeconds * 1000);
  if (message === null) return null;
  return buildRefusal('TIMESTAMP_OUT_OF_WINDOW', message, { server_time: new Date(nowMs).toISOString(), window_seconds: windowSeconds });
};

/**
 * Returns the time between the first and the last moment at which an assertion can be accepted, by gateways with at most this window: from
 * one
 * window before it was issued to a window, or its lifetime if shorter, after it.
 */
export const acceptableForMs = (windowSeconds: number): number =>
  (windowSeconds + Math.min(windowSeconds, LIMITS.assertions.lifetimeSecondsMax)) * 1000;

/**
 * Returns the retention of the nonce of an accepted assertion, from its use. The cleanup knows no gateway's settings, so it uses the widest
 * possible window, plus the maximum clock difference of two machines.
 */
export const getNonceKeptForMs = (): number =>
  acceptableForMs(LIMITS.assertions.windowSecondsMax) + LIMITS.assertions.clockDifferenceSeconds * 1000;
