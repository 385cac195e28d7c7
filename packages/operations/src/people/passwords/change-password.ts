import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change, EventActor } from '@svc/postgres/change/change.ts';
import { endResetCodes } from '@svc/postgres/people/passwords/password-resets.ts';
import { keepSession } from '@svc/postgres/people/sessions/own-sessions.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import type { HashedPassword } from './hash-new-password.ts';
import { postPasswordChanged } from './post-password-changed.ts';
import { type ResetKeys, resetCodeKeys } from './reset-codes.ts';
import { FACTOR_GONE, storePassword } from './store-password.ts';

type ChangePasswordRequest = {
  readonly actor: EventActor;
  readonly now: Date;
  readonly session: { readonly organizationId: string; readonly id: string };
  readonly email: string;
  readonly hashed: HashedPassword;
  readonly posting: Posting;
};

/** Stores a new password. Ends all other sessions of the user, and the reset codes. */
export const changePassword = async (
  { tx, emit }: Change<'user.password_changed'>,
  { actor, now, session, email, hashed, posting }: ChangePasswordRequest,
  deps: { readonly mail: MailService; readonly resetKeys: ResetKeys },
) => {
  const { organizationId } = session;
  if (!(await storePassword(tx, { userId: actor.id, phc: hashed.phc, isShort: hashed.isShort, now })))
    return refuseBody('/new_password', FACTOR_GONE);
  // A session that ended while the password was checked changes nothing.
  if (!(await keepSession(tx, { organizationId, userId: actor.id, sessionId: session.id }))) return buildRefusal('INVALID_CREDENTIALS');
  await endResetCodes(tx, resetCodeKeys(deps.resetKeys, email.toLowerCase()), now);
  emit('user.password_changed', { ...about.user(actor), data: { by: 'PASSWORD', source_ip: posting.sourceIp } });
  await postPasswordChanged(deps, posting, tx, { email, organizationId });
  return { password_changed_at: now.toISOString() };
};
