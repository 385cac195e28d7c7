import type { EventType } from '@svc/contract/tables/events.ts';
import { toWorkspacesView } from '@svc/domain/people/auth/workspaces-view.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { inOtherOrganization } from '@svc/postgres/connection/in-other-organization.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { disableCreatorChannels } from '@svc/postgres/events/notification-channels/disable-made-by.ts';
import { disableCreatorWebhooks } from '@svc/postgres/events/webhooks/disable-made-by.ts';
import { claimAddress, endPersonIdentities, isFoundedAlone, listPersonOrganizations } from '@svc/postgres/people/auth/claim-account.ts';
import { revokeCreatorKeys, withdrawSenderInvitations } from '@svc/postgres/people/members/derived.ts';
import { endResetCodes } from '@svc/postgres/people/passwords/password-resets.ts';
import { endCreatorScimToken } from '@svc/postgres/people/scim/settings.ts';
import { deleteFactors, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { MailService } from '../mail/mail-service.ts';
import { type Posting, postMail } from '../mail/post-mail.ts';
import { type ResetKeys, resetCodeKeys } from '../passwords/reset-codes.ts';

/** Events of a claimed account; rows that may cause it declare them. */
export type ClaimEvent = Extract<
  EventType,
  | 'user.password_changed'
  | 'user.mfa_factor_removed'
  | 'user.identity_unlinked'
  | 'session.revoked'
  | 'apikey.revoked'
  | 'webhook.subscription_updated'
  | 'notification_channel.disabled'
>;

/** The proof of a call: which person's address was proved, and how. */
export type AddressProof = {
  readonly desk: { readonly mail: MailService; readonly identity: Database; readonly resetKeys: ResetKeys };
  readonly posting: Posting;
  /** The organization of the change, in which the person is a member by now. */
  readonly organizationId: string;
  readonly by: 'INVITATION' | 'MAIL_CODE' | 'SSO' | 'SCIM';
};

type Person = { readonly id: string; readonly email: string };
type Claiming = Change<ClaimEvent>;

const DISABLED = { change: 'disabled', reason: 'HOLDER_CHANGED', before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } } as const;

/**
 * Ends what an unknown person left in one organization: identities, invitations, and webhooks and channels, whose receivers are theirs; and
 * if no other person was ever there, also keys and the directory token.
 */
const endIn = async (tx: TenantTransaction, organizationId: string, userId: string, now: Date) => {
  const isAlone = await isFoundedAlone(tx, organizationId, userId);
  return {
    organizationId,
    identities: await endPersonIdentities(tx, organizationId, userId),
    invitations: await withdrawSenderInvitations(tx, organizationId, userId, now),
    webhooks: await disableCreatorWebhooks(tx, { organization_id: organizationId, userId }, { reason: DISABLED.reason, now }),
    channels: await disableCreatorChannels(tx, { organization_id: organizationId, userId }, { reason: DISABLED.reason, now }),
    keys: isAlone ? [] : await revokeCreatorKeys(tx, organizationId, userId, now),
    scimToken: !isAlone && (await endCreatorScimToken(tx, organizationId, userId, now)),
  };
};

type Ended = Awaited<ReturnType<typeof endIn>>;

const tell = (
  emit: Claiming['emit'],
  { organizationId: elsewhere, identities, invitations, webhooks, channels, keys, scimToken }: Ended,
  userId: string,
  data: object,
): void => {
  const user = { ...about.user({ id: userId }), elsewhere };
  emit('user.password_changed', { ...user, data: { ...data, password_taken_away: true } });
  emit('session.revoked', { ...user, data: { ...data, user_id: userId, all: true, invitations, scim_token_ended: scimToken } });
  for (const { id, ...identity } of identities)
    emit('user.identity_unlinked', { ...user, data: { ...data, before: { identity_id: id, ...identity } } });
  for (const { id, workspace_ids } of keys) {
    const place = about.api_key({ id, workspace_id: toWorkspacesView(workspace_ids).workspace_id });
    emit('apikey.revoked', { ...place, elsewhere, data: { ...data, before: { revoked_at: null } } });
  }
  for (const each of webhooks)
    emit('webhook.subscription_updated', { ...about.webhook_subscription(each), elsewhere, data: { ...data, ...DISABLED } });
  for (const each of channels)
    emit('notification_channel.disabled', {
      ...about.notification_channel(each),
      elsewhere,
      data: { ...data, ...DISABLED },
    });
};

/** Yields every other organization of a person, page by page. */
async function* otherOrganizations(identity: Database, userId: string, but: string): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const page = await listPersonOrganizations(identity, userId, after);
    for (const id of page) if (id !== but) yield id;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/**
 * Gives an account to the first person who proves its address (prevents account pre-hijacking): everything enrolled before belongs to an
 * unknown person and ends in all organizations of the account, with a mail. Returns false and does nothing if it was proved before.
 */
export const claimAccount = async (
  { tx, emit }: Claiming,
  { desk, posting, organizationId, by }: AddressProof,
  person: Person,
): Promise<boolean> => {
  const { now } = posting;
  // Factors are enrolled under the same lock: a concurrent one is either first and removed, or finds its session ended.
  const factors = await lockFactors(tx, person.id);
  if (!(await claimAddress(tx, person.id, now))) return false;
  const gone = await deleteFactors(
    tx,
    person.id,
    factors.map(({ id }) => id),
  );
  const data = { by: 'ADDRESS_PROVED', proved_by: by };
  for (const { id, kind, name } of gone)
    emit('user.mfa_factor_removed', { ...about.user(person), data: { ...data, factor_id: id, kind, name } });
  // Codes for setting a password that others were given, such as an operator's secret, must not work any more.
  await endResetCodes(tx, resetCodeKeys(desk.resetKeys, person.email.toLowerCase()), now);
  tell(emit, await endIn(tx, organizationId, person.id, now), person.id, data);
  for await (const to of otherOrganizations(desk.identity, person.id, organizationId)) {
    const ended = await inOtherOrganization(tx, { from: organizationId, to }, () => endIn(tx, to, person.id, now));
    tell(emit, ended, person.id, data);
  }
  await postMail(desk, posting, tx, {
    to: person.email,
    template: 'address-proved',
    values: { service: desk.mail.service(), proved_at: now.toISOString(), source_ip: posting.sourceIp },
    organizationId,
  });
  return true;
};
