import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countSent } from '@svc/postgres/people/invitations/invitations.ts';

const { pendingMax, mailsPerDayMax, mailsToAddressPerDayMax } = LIMITS.invitations;
const HOUR_SECONDS = 3_600;

export const refuseTooManyMails = (): Refusal<'RATE_LIMITED'> =>
  buildRefusal('RATE_LIMITED', 'Too many invitations were mailed of late: try again later.', { retry_after_seconds: HOUR_SECONDS });

/** Returns a refusal if an organization has sent too many invitations. Checked before anything is created. */
export const findBoundsRefusal = async (
  tx: TenantTransaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<Refusal<'UNPROCESSABLE' | 'RATE_LIMITED'> | undefined> => {
  const sent = await countSent(tx, organizationId, email, now);
  if (sent.pending >= pendingMax)
    return buildRefusal('UNPROCESSABLE', `An organization has at most ${pendingMax} open invitations. Withdraw some first.`);
  return sent.mails >= mailsPerDayMax || sent.to_address >= mailsToAddressPerDayMax ? refuseTooManyMails() : undefined;
};
