import { LIMITS } from '@svc/contract/limits.ts';
import { type Refusal, refusal } from '@svc/contract/refusal.ts';

type Times = { readonly issuedAtMs: number; readonly expiresAtMs: number };

const fault = ({ issuedAtMs, expiresAtMs }: Times, nowMs: number, windowMs: number): string | null => {
  // Each rule is asked as "is it proven", so that a NaN from anywhere refuses.
  if (!(Math.abs(nowMs - issuedAtMs) <= windowMs)) return 'The assertion was issued too far from the time of this service.';
  if (!(expiresAtMs > nowMs)) return 'The assertion has expired.';
  if (!(expiresAtMs > issuedAtMs)) return 'The assertion expires before it was issued.';
  if (!(expiresAtMs - issuedAtMs <= LIMITS.assertions.lifetimeSecondsMax * 1000)) return 'The assertion claims too long a life.';
  return null;
};

/** Null inside the window; otherwise a refusal with the server's time, by which a client can correct its clock. */
export const checkAssertionWindow = (times: Times, nowMs: number, windowSeconds: number): Refusal<'TIMESTAMP_OUT_OF_WINDOW'> | null => {
  const message = fault(times, nowMs, windowSeconds * 1000);
  if (message === null) return null;
  return refusal('TIMESTAMP_OUT_OF_WINDOW', message, { server_time: new Date(nowMs).toISOString(), window_seconds: windowSeconds });
};

/**
 * Until when the nonce of an accepted assertion has to be remembered, in milliseconds since the epoch.
 * It outlives every moment at which the assertion could pass again, even on another instance whose clock runs late by the whole window.
 */
export const nonceNeededUntilMs = (times: Times, windowSeconds: number): number => times.expiresAtMs + windowSeconds * 1000;
