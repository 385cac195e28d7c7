import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const DAY_MS = 86_400_000;

type Wanted = {
  readonly now: Date;
  readonly days: number | undefined;
  /** The latest expiry that the caller can give; null for a person, who is bound by the contract only. */
  readonly latest: Date | null;
};

/** Returns the expiry of a key, never later than the caller can give: a later request is refused, and the default is cut. */
export const computeKeyExpiry = ({ now, days, latest }: Wanted) => {
  const end = new Date(now.getTime() + (days ?? LIMITS.apiKeys.defaultExpiryDays) * DAY_MS);
  if (latest === null || end <= latest) return end;
  if (days === undefined) return latest;
  const message = `must not be later than ${latest.toISOString()}: a key that an API key creates expires no later than that key. Omit it, or ask a user to create the key.`;
  return buildRefusal('VALIDATION_FAILED', message, { faults: [{ pointer: '/expires_in_days', message }] });
};
