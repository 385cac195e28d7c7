import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseStrictTime } from './strict-time.ts';

const DAY_MS = 86_400_000;

/** Returns the fault of an agent's expiry; undefined if it is valid. No expiry, or null, is valid. */
export const findEndFault = (expiresAt: string | null | undefined, nowMs: number): string | undefined => {
  if (expiresAt === null || expiresAt === undefined) return undefined;
  const endMs = parseStrictTime(expiresAt);
  if (endMs === null) return 'Must be a UTC time such as 2026-01-31T09:30:00.000Z.';
  if (endMs <= nowMs) return 'Must be in the future; to end an agent now, decommission or revoke it.';
  const { endsInDaysMax } = LIMITS.agents;
  return endMs - nowMs > endsInDaysMax * DAY_MS ? `Must be within ${endsInDaysMax} days, or null for no end.` : undefined;
};
