import type { EvidenceStatus } from '@svc/contract/risk/trust/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const DAY_MS = 86_400_000;
const { firstNoticeDays, lastNoticeDays } = LIMITS.trust;
const EXPIRING_MS = firstNoticeDays * DAY_MS;

type Dated = { readonly revoked: boolean; readonly is_bound: boolean; readonly expires_at: string };

/** Status of a piece at a time. A revoked piece stays revoked, also after its expiry. */
export const getEvidenceStatus = ({ revoked, is_bound, expires_at }: Dated, now: Date): EvidenceStatus => {
  if (revoked) return 'REVOKED';
  const left = Date.parse(expires_at) - now.getTime();
  if (left <= 0) return 'EXPIRED';
  if (!is_bound) return 'UNBOUND';
  return left <= EXPIRING_MS ? 'EXPIRING' : 'VALID';
};

/**
 * Returns the time of the next expiry event; null if none is left. Evidence with a short lifetime gets no notice that would be late
 * already.
 */
export const nextNotice = (expiresAt: Date, after: Date): Date | null => {
  const dates = [...[firstNoticeDays, lastNoticeDays].map((days) => expiresAt.getTime() - days * DAY_MS), expiresAt.getTime()];
  const next = dates.find((date) => date > after.getTime());
  return next === undefined ? null : new Date(next);
};
