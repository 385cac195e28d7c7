/**
 * Milliseconds until a time of the service, by the clock of the service: that of this machine may be wrong. Bounded, since the response
 * that names both could be too.
 */
export const computeWait = (expiresAt: string, headers: Headers): number => {
  const now = Date.parse(headers.get('date') ?? '');
  const left = Date.parse(expiresAt) - (Number.isNaN(now) ? Date.now() : now);
  return Math.min(Math.max(0, left), WAIT_MS_MAX);
};

const WAIT_MS_MAX = 3_600_000;
