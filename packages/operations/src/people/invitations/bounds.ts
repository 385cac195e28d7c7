import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { countSent } from '@svc/postgres/people/invitations/invitations.ts';

const { pendingMax, mailsPerDayMax, mailsToAddressPerDayMax } = LIMITS.invitations;
const HOUR_SECONDS = 3_600;

export const tooManyMails = (): Refusal<'RATE_LIMITED'> =>
  refusal('RATE_LIMITED', 'Too many invitations were mailed of late: try again later.', { retry_after_seconds: HOUR_SECONDS });

/** Returns a refusal if an organization has sent too many invitations. Checked before anything is created. */
export const boundsRefusal = async (
  tx: TenantTransaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<Refusal<'UNPROCESSABLE' | 'RATE_LIMITED'> | undefined> => {
  const sent = await countSent(tx, organizationId, email, now);
  if (sent.pending >= pendingMax)
    return refusal('UNPROCESSABLE', `An organization has at most ${pendingMax} open invitations. Withdraw some first.`);
  return sent.mails >= mailsPerDayMax || sent.to_address >= mailsToAddressPerDayMax ? tooManyMails() : undefined;
};
