import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countCodeAssistUse } from '@svc/postgres/tools/code-assist-uses.ts';
import type { CallContext } from '../../people/auth/acting.ts';

const OVER = 'The organization has used its requests to code assist of this hour.';
const HOUR_MS = 3_600_000;

/** Counts a request against the budget of the organization, or refuses it. */
export const countUse = async ({ tx }: Pick<Change<never>, 'tx'>, { scope, now }: CallContext, perHour: number) => {
  const used = await countCodeAssistUse(tx, scope.organization_id, now);
  if (used <= perHour) return { used };
  return buildRefusal('RATE_LIMITED', OVER, { retry_after_seconds: Math.ceil((HOUR_MS - (now.getTime() % HOUR_MS)) / 1_000) });
};
