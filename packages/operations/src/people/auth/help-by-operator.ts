import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type ChangeContext, change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Membership } from '@svc/postgres/people/auth/people.ts';
import { unlock } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { insertResetCode } from '@svc/postgres/people/passwords/password-resets.ts';
import { takePasswordAway, takeShortPasswordAway } from '@svc/postgres/people/passwords/passwords.ts';
import { deleteFactors, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import { endPersonSessions } from '@svc/postgres/people/sessions/own-sessions.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { postNotice } from '../mail/post-notice.ts';
import { hashResetCode, type ResetKeys } from '../passwords/reset-codes.ts';
import { listFailureKeys } from './failure-keys.ts';

/** The operator of the machine, who does not use a plane. */
export type Operating = {
  readonly app: Database;
  readonly identity: Database;
  /** Context of a change in one organization, recorded as the operator's. */
  readonly contextOf: (organizationId: string) => ChangeContext;
  /** Outbox for the mails that notify the person. */
  readonly mail: MailService;
  readonly posting: Posting;
  readonly now: Date;
  readonly reason: string;
};

type Person = readonly [Membership, ...Membership[]];
type Emitted = 'user.password_changed' | 'user.mfa_factor_removed' | 'session.revoked';

/** Records the change in the other organizations of the person, each of which has its own record. */
const tellElsewhere = async (
  { app, contextOf }: Operating,
  [, ...others]: Person,
  events: readonly { readonly type: Emitted; readonly data: Readonly<Record<string, unknown>> }[],
): Promise<void> => {
  for (const { organization_id, user_id } of others)
    await change<Emitted, void>(app, contextOf(organization_id), async ({ emit }) => {
      for (const { type, data } of events) emit(type, { ...about.user({ id: user_id }), severity: 'critical', data });
    });
};

/** Removes a person's password and ends every session; returns a secret for setting another, of which only a keyed hash is stored. */
export const resetPasswordByOperator = async (operating: Operating, keys: ResetKeys, person: Person): Promise<string> => {
  const { app, identity, contextOf, now, reason } = operating;
  const [{ user_id: userId, email, organization_id }] = person;
  const code = newSecretToken(SECRET_PREFIXES.password_reset);
  const expiresAt = new Date(now.getTime() + LIMITS.passwordResets.operatorLifetimeSeconds * 1000);
  const data = { by: 'OPERATOR', password_taken_away: true, reason };
  await change<Emitted, void>(app, contextOf(organization_id), async ({ tx, emit }) => {
    await takePasswordAway(tx, userId, now);
    await insertResetCode(tx, { ...hashResetCode(keys, email, code, now), expiresAt, always: true });
    emit('user.password_changed', { ...about.user({ id: userId }), severity: 'critical', data });
    await postNotice(operating, operating.posting, tx, {
      what: 'password_removed_by_operator',
      to: email,
      organizationId: organization_id,
    });
  });
  await tellElsewhere(operating, person, [{ type: 'user.password_changed', data }]);
  await unlock(identity, listFailureKeys(email, '').account);
  return code;
};

type Removed = { readonly factors: Awaited<ReturnType<typeof deleteFactors>>; readonly isPasswordGone: boolean };

/** Removes every second factor of a person and a password that is too short without one, and ends every session. */
export const removeFactorsByOperator = async (operating: Operating, person: Person): Promise<Removed> => {
  const { app, contextOf, now, reason } = operating;
  const [{ user_id: userId, email, organization_id }] = person;
  const by = { by: 'OPERATOR', reason };
  const getEvents = ({ factors, isPasswordGone }: Removed) => [
    ...factors.map(({ id, kind, name }) => ({ type: 'user.mfa_factor_removed' as const, data: { ...by, factor_id: id, kind, name } })),
    ...(isPasswordGone ? [{ type: 'user.password_changed' as const, data: { ...by, password_taken_away: true } }] : []),
  ];
  const gone = await change<Emitted, Removed>(app, contextOf(organization_id), async ({ tx, emit }) => {
    await endPersonSessions(tx, userId);
    const there = await lockFactors(tx, userId);
    const factors = await deleteFactors(
      tx,
      userId,
      there.map(({ id }) => id),
    );
    const removed = { factors, isPasswordGone: await takeShortPasswordAway(tx, userId, now) };
    for (const { type, data } of getEvents(removed)) emit(type, { ...about.user({ id: userId }), severity: 'critical', data });
    const notice = { what: 'factors_removed_by_operator', to: email, organizationId: organization_id } as const;
    if (factors.length > 0) await postNotice(operating, operating.posting, tx, notice);
    return removed;
  });
  await tellElsewhere(operating, person, getEvents(gone));
  return gone;
};
