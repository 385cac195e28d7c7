import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { IdNoun } from '@svc/contract/tables/ids.ts';
import { type AddressFault, claimedAddress } from '@svc/domain/people/sso/claimed-address.ts';
import { resolveClaimsRole } from '@svc/domain/people/sso/role-of-claims.ts';
import { truncateText } from '@svc/policy/values/truncate-text.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { AccountOfAddress } from '@svc/postgres/people/auth/claim-account.ts';
import { renamePerson } from '@svc/postgres/people/auth/people.ts';
import { lockStaff } from '@svc/postgres/people/members/staff.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { findDirectoryUser, insertDirectoryMember } from '@svc/postgres/people/scim/users.ts';
import { isVerifiedDomain } from '@svc/postgres/people/sso/domains.ts';
import type { UsableConnection } from '@svc/postgres/people/sso/find-connection.ts';
import {
  findIdentityOwner,
  findMember,
  findUnclaimed,
  insertIdentity,
  insertProvisioned,
  type SsoMember,
} from '@svc/postgres/people/sso/identities.ts';
import { type AddressProof, type ClaimEvent, claimAccount } from '../members/claim-account.ts';
import { giveMappedRole } from './give-mapped-role.ts';

export type SsoSignInEvent = 'user.identity_linked' | 'member.joined' | 'member.role_changed' | 'approval.cancelled' | ClaimEvent;

type Signing = Change<SsoSignInEvent>;

/** Verified claims of a provider about a person. */
export type ProvedIdentity = {
  readonly connection: UsableConnection;
  readonly claims: Readonly<Record<string, unknown>> & { readonly sub: string };
  readonly newId: <Noun extends Extract<IdNoun, 'user' | 'member' | 'sso_identity'>>(noun: Noun) => string;
  readonly now: Date;
  /** The account of the address in the claims, if there is one. */
  readonly account: AccountOfAddress | undefined;
  readonly proving: AddressProof;
};

type Refused = Refusal<'PERMISSION_DENIED'>;

/** Why a verified identity signs no one in: recorded in `user.login_failed`, and `details.reason` of the response. */
type Reason = AddressFault | 'EMAIL_DOMAIN_NOT_VERIFIED' | 'ACCOUNT_EXISTS' | 'IDENTITY_UNKNOWN' | 'NO_ROLE' | 'NOT_A_MEMBER';

const refuse = (reason: Reason, sentence: string): Refused => buildRefusal('PERMISSION_DENIED', sentence, { reason });
const GONE = 'You are no longer a member of this organization. Ask an administrator of its members for an invitation.';
const UNKNOWN =
  'No account is linked to this identity. If you have an account, sign in and link the identity; otherwise ask for an invitation.';
const NO_ROLE = 'Your provider assigns you no role in this organization. Ask the administrator of its groups.';
const ADDRESS_TAKEN =
  'An account with your e-mail address already exists. The address alone does not prove that it is yours: sign in to it and link this identity.';
/** Refusal if another sign-in created the account meanwhile. */
export const ACCOUNT_EXISTS = refuse('ACCOUNT_EXISTS', ADDRESS_TAKEN);

const ASK_ADMINISTRATOR = 'Ask an administrator of your organization to correct the single sign-on connection, or to invite you.';
const ADDRESS_SENTENCES: Readonly<Record<AddressFault | 'EMAIL_DOMAIN_NOT_VERIFIED', string>> = {
  EMAIL_MISSING: `Your provider stated no e-mail address for you. ${ASK_ADMINISTRATOR}`,
  EMAIL_VERIFIED_MISSING: `Your provider did not state whether your e-mail address is verified (email_verified). ${ASK_ADMINISTRATOR}`,
  EMAIL_VERIFIED_FALSE: 'Your provider states that your e-mail address is not verified. Verify it at your provider and sign in again.',
  EMAIL_DOMAIN_NOT_VERIFIED: `Your organization has not verified the domain of your e-mail address. ${ASK_ADMINISTRATOR}`,
};

const NAME_CHARS_MAX = 120;

const getName = (claims: ProvedIdentity['claims'], email: string): string => {
  const { name } = claims;
  const shown =
    typeof name === 'string'
      ? name
          .toWellFormed()
          .replaceAll(/[\p{Cc}\s]+/gu, ' ')
          .trim()
      : '';
  return shown !== '' ? truncateText(shown, NAME_CHARS_MAX) : (email.split('@')[0] ?? email);
};

/** Returns the address of a new person: one that the connection trusts, in a domain that the organization verified for this connection. */
const provenAddress = async ({ tx }: Signing, { connection, claims }: ProvedIdentity): Promise<string | Refused> => {
  const { organization_id, id, email_trust } = connection;
  const claimed = claimedAddress(claims, email_trust);
  if ('fault' in claimed) return refuse(claimed.fault, ADDRESS_SENTENCES[claimed.fault]);
  const { email, domain } = claimed;
  if (await isVerifiedDomain(tx, { organization_id, domain }, id)) return email;
  return refuse('EMAIL_DOMAIN_NOT_VERIFIED', ADDRESS_SENTENCES.EMAIL_DOMAIN_NOT_VERIFIED);
};

/**
 * True if the person must link the identity themselves: a trusted domain states who assigns an address, not that the account is this
 * person's.
 */
const needsConfirmation = ({ connection, account }: ProvedIdentity): boolean =>
  connection.email_trust === 'VERIFIED_DOMAINS' && account !== undefined && (account.has_password || account.is_elsewhere);

const link = async ({ tx, emit }: Signing, { connection, claims, newId, now }: ProvedIdentity, userId: string): Promise<void> => {
  const { organization_id, id: connection_id } = connection;
  const id = newId('sso_identity');
  await insertIdentity(tx, { organization_id, connection_id, subject: claims.sub, id, user_id: userId, now });
  emit('user.identity_linked', { ...about.user({ id: userId }), data: { after: { identity_id: id, connection_id, subject: claims.sub } } });
};

/**
 * Gives an unproved account to the person whose address the provider verified, in a verified domain of the organization, whose owner
 * controls the mailboxes. Nothing that was enrolled remains, and the provider's word counts only here, as always. A member links their
 * identity themselves: no one becomes an owner by an address.
 */
const joinUnproved = async (change: Signing, proved: ProvedIdentity, user: NewUser, roleId: string): Promise<SsoMember | Refused> => {
  const { tx } = change;
  const { connection, proving, newId, now } = proved;
  const { organization_id } = connection;
  if (await findMember(tx, organization_id, user.id)) return ACCOUNT_EXISTS;
  // Someone whom the directory knows and has not made a member cannot join any other way.
  if (await findDirectoryUser(tx, organization_id, { by: 'email', value: user.email })) return refuse('NOT_A_MEMBER', GONE);
  const member = { id: newId('member'), user_id: user.id, role_id: roleId, provisioned_by: 'SSO' } as const;
  await insertDirectoryMember(tx, organization_id, member, now);
  if (!(await claimAccount(change, proving, user))) return ACCOUNT_EXISTS;
  await renamePerson(tx, user.id, user.name);
  return joined(change, proved, member);
};

type NewUser = { readonly id: string; readonly email: string; readonly name: string };

const joined = async (
  change: Signing,
  proved: ProvedIdentity,
  member: { readonly id: string; readonly user_id: string; readonly role_id: string },
): Promise<SsoMember | Refused> => {
  const { organization_id, id: by } = proved.connection;
  change.emit('member.joined', { ...about.member(member), data: { after: { user_id: member.user_id, role_id: member.role_id }, by } });
  await link(change, proved, member.user_id);
  return (await findMember(change.tx, organization_id, member.user_id)) ?? refuse('NOT_A_MEMBER', GONE);
};

/** Makes a new person a member (just-in-time provisioning). */
const join = async (change: Signing, proved: ProvedIdentity, email: string, roleId: string): Promise<SsoMember | Refused> => {
  const { tx } = change;
  const { connection, claims, newId, now, account } = proved;
  const { organization_id } = connection;
  const role = await findRole(tx, organization_id, roleId);
  if (!role?.for_keys) return refuse('NO_ROLE', NO_ROLE);
  const user = { id: account?.id ?? newId('user'), email, name: getName(claims, email) };
  if (account !== undefined) return account.is_proved ? ACCOUNT_EXISTS : joinUnproved(change, proved, user, roleId);
  const member = { id: newId('member'), role_id: roleId };
  await insertProvisioned(tx, { organization_id, user, member, provisioned_by: 'SSO', now });
  return joined(change, proved, { ...member, user_id: user.id });
};

const firstTime = async (change: Signing, proved: ProvedIdentity): Promise<SsoMember | Refused> => {
  const email = await provenAddress(change, proved);
  if (isRefusal(email)) return email;
  const { organization_id, id: connection_id, jit } = proved.connection;
  const known = await findUnclaimed(change.tx, { organization_id, connection_id, email });
  if (needsConfirmation(proved)) return ACCOUNT_EXISTS;
  if (known) {
    await link(change, proved, known.user_id);
    return known;
  }
  const { role_id } = resolveClaimsRole(proved.claims, proved.connection);
  if (!jit) return refuse('IDENTITY_UNKNOWN', UNKNOWN);
  return role_id === null ? refuse('NO_ROLE', NO_ROLE) : join(change, proved, email, role_id);
};

/**
 * Finds the person of a verified identity, by its subject alone. A new person joins only if the connection allows it; their role follows
 * the provider's statement at each sign-in, except for owners.
 */
export const signInWithIdentity = async (change: Signing, proved: ProvedIdentity): Promise<SsoMember | Refused> => {
  const { connection, claims, now } = proved;
  const { organization_id, id: connection_id } = connection;
  const whose = () => findIdentityOwner(change.tx, { organization_id, connection_id, subject: claims.sub });
  let owner = await whose();
  if (owner === undefined) {
    // Only one of several concurrent sign-ins with the same new identity creates the link; the others find it.
    await lockStaff(change.tx, organization_id);
    owner = await whose();
  }
  if (owner === undefined) return firstTime(change, proved);
  const member = await findMember(change.tx, organization_id, owner);
  if (!member) return refuse('NOT_A_MEMBER', GONE);
  const { role_id, mapped } = resolveClaimsRole(claims, connection);
  if (!mapped || member.is_owner) return member;
  if (role_id === null) return refuse('NO_ROLE', NO_ROLE);
  return giveMappedRole(change, { organization_id, member, roleId: role_id, by: connection_id, now });
};
