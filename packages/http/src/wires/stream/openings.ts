import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';

const MINUTE_MS = 60_000;
const TOO_OFTEN = 'Streams are opened too often from your IP address. Keep one open, and wait before you reconnect.';

/**
 * Limits the rate of opening streams by source address, for all clients and all results: each begins with catching up, which is
 * expensive. Counted in this process, so that it waits for nothing.
 */
export const newOpenings = ({ opensPerAddressPerMinute: limit }: { readonly opensPerAddressPerMinute: number }) => {
  const limiter = newMemoryRateLimiter();
  return (address: string): Refusal<'RATE_LIMITED'> | undefined => {
    const { allowed, resetSeconds } = limiter.take({ key: getAddressGroup(address), limit }, MINUTE_MS);
    return allowed ? undefined : buildRefusal('RATE_LIMITED', TOO_OFTEN, { retry_after_seconds: Math.max(1, resetSeconds) });
  };
};
