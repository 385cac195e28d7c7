import type { NewSession } from '@svc/contract/people/auth.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { IdNoun, IdOf } from '@svc/contract/tables/ids.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { insertOwner } from '@svc/postgres/people/auth/people.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { openFoundersSession } from '../finish-sign-in.ts';
import type { Opening } from '../open-session.ts';

const OWNER = getBuiltInRole('owner');

/** Founder and organization; the password in its stored form. */
export type Founding = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organization: { readonly id: string; readonly name: string };
  readonly member: { readonly id: string; readonly role_id: string };
  readonly passwordHash: string;
  /** True if the founder proved the address, or the operator of the service vouches for it. */
  readonly isProved: boolean;
};

type Named = { readonly email: string; readonly name: string; readonly organizationName: string; readonly passwordHash: string };

/** Assigns the identifiers of a new organization. */
export const newFounding = (
  newId: <Noun extends IdNoun>(noun: Noun) => IdOf<Noun>,
  { email, name, organizationName, passwordHash }: Named,
  isProved: boolean,
): Founding => ({
  user: { id: newId('user'), email: email.toLowerCase(), name },
  organization: { id: newId('organization'), name: organizationName },
  member: { id: newId('member'), role_id: OWNER.id },
  passwordHash,
  isProved,
});

/** Creates an organization with its first owner, and their session. The first commit takes the address. */
export const createOrganization = async (
  { tx, emit }: Change<'organization.created' | 'member.joined' | 'user.login_succeeded'>,
  { user, organization, member, passwordHash, isProved }: Founding,
  opening: Opening,
  proofs: readonly Proof[],
): Promise<NewSession> => {
  await insertOwner(tx, { organization, user: { ...user, password_hash: passwordHash }, isProved, member, now: opening.now });
  const role = await findRole(tx, organization.id, OWNER.id);
  const rights = { permissions: role?.permissions ?? [], workspace_ids: null };
  emit('organization.created', { ...about.organization(organization), data: { after: { name: organization.name } } });
  emit('member.joined', { ...about.member(member), data: { after: { user_id: user.id, role_id: OWNER.id } } });
  return openFoundersSession({ tx, emit }, opening, { user, organization, rights }, proofs);
};

/** Returns actor and scope of the change that founds an organization. */
export const getFounder = ({ user, organization }: Founding) => ({
  scope: { organization_id: organization.id },
  actor: { type: 'USER' as const, id: user.id, name: user.name },
});
