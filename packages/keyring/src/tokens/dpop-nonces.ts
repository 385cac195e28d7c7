import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

export type DpopNonces = {
  readonly issue: (nowMs: number) => string;
  readonly isFresh: (nonce: string, nowMs: number) => boolean;
};

/** Every gateway issues the same nonce within one period, and accepts that of the previous period. */
export const DPOP_NONCE_MS = 300_000;

/** Issues nonces of RFC 9449, section 8. They are derived from the time, so that none is stored. */
export const newDpopNonces = (key: KeyObject): DpopNonces => {
  const nonceAt = (period: number): string => createHmac('sha256', key).update(`${period}`).digest('base64url');
  const periodAt = (nowMs: number): number => Math.floor(nowMs / DPOP_NONCE_MS);
  return {
    issue: (nowMs) => nonceAt(periodAt(nowMs)),
    isFresh: (nonce, nowMs) =>
      [0, 1].some((back) => {
        const [given, known] = [Buffer.from(nonce), Buffer.from(nonceAt(periodAt(nowMs) - back))];
        return given.length === known.length && timingSafeEqual(given, known);
      }),
  };
};
