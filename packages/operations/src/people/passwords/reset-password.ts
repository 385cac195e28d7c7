import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { endResetCodes, type ResetCode, takeResetCode } from '@svc/postgres/people/passwords/password-resets.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import type { HashedPassword } from './hash-new-password.ts';
import { postPasswordChanged } from './post-password-changed.ts';
import { type ResetKeys, resetCodeKeys } from './reset-codes.ts';
import { FACTOR_GONE, storePassword } from './store-password.ts';

type Resetting = Change<EmittedBy<Endpoints['resetPassword']>>;

type ResetPasswordRequest = {
  readonly code: ResetCode;
  readonly account: { readonly user_id: string; readonly organization_id: string; readonly email: string };
  /** Lower case, as in the request. */
  readonly email: string;
  /** Claims the account for the user, if the code is the first proof that the address is theirs. */
  readonly claim: ((change: Resetting) => Promise<unknown>) | undefined;
  readonly by: 'OPERATOR' | 'MAIL_CODE';
  readonly hashed: HashedPassword;
  readonly posting: Posting;
};

type ResetDeps = { readonly mail: MailService; readonly resetKeys: ResetKeys };

export const WRONG_RESET_CODE = 'The code for this address is wrong, used or expired. Open the link in the mail, or request a new code.';

/** Stores a new password for a reset code, and ends all reset codes of the address. */
export const resetPassword = async (
  change: Resetting,
  { code, account, email, claim, by, hashed, posting }: ResetPasswordRequest,
  deps: ResetDeps,
) => {
  const { tx, emit } = change;
  const { now, sourceIp } = posting;
  const { user_id: userId, organization_id: organizationId } = account;
  if (!(await takeResetCode(tx, code))) return buildRefusal('INVALID_CREDENTIALS', WRONG_RESET_CODE);
  await claim?.(change);
  if (!(await storePassword(tx, { userId, phc: hashed.phc, isShort: hashed.isShort, now })))
    return refuseBody('/new_password', FACTOR_GONE);
  await endResetCodes(tx, resetCodeKeys(deps.resetKeys, email), now);
  emit('user.password_changed', { ...about.user({ id: userId }), data: { by, source_ip: sourceIp } });
  await postPasswordChanged(deps, posting, tx, { email: account.email, organizationId });
  return { password_changed_at: now.toISOString() };
};
