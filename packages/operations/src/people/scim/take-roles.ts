import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RateLimiter } from '@svc/shared-state/rate-limiter.ts';
import type { TakeRoles } from '../sso/give-mapped-roles.ts';

const { rolesSetPerMinuteMax } = LIMITS.scim;
const USED_UP = `The directory has given other roles to as many people as it may within a minute, ${rolesSetPerMinuteMax}: send this again then.`;

/**
 * Limits role changes: a short request about a large group causes an event for each member, and events are sealed in one sequence for all
 * organizations, so a directory could otherwise delay everyone's.
 */
export const takeRoles =
  ({ rateLimiter }: { readonly rateLimiter: RateLimiter }, organizationId: string): TakeRoles =>
  async (people): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
    const budget = await rateLimiter.take({ key: `roles-of:${organizationId}`, limit: rolesSetPerMinuteMax, uses: people }, 60_000);
    if (budget.allowed) return undefined;
    return buildRefusal('RATE_LIMITED', USED_UP, { retry_after_seconds: Math.max(1, budget.resetSeconds) });
  };
