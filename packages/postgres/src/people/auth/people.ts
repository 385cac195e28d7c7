import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Rights } from '@svc/domain/people/auth/effective-rights.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { hasFactorInOrganization } from '../second-factors/counts-in.ts';
import { memberRights, readMemberRole } from './member-rights.ts';

export type NewOwner = {
  readonly organization: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly password_hash: string };
  /** True if the founder has proved the address. */
  readonly isProved: boolean;
  readonly member: { readonly id: string; readonly role_id: string };
  readonly now: Date;
};

/** An organization and the person who owns it. The e-mail is taken by the first that commits. */
export const insertOwner = async (tx: TenantTransaction, { organization, user, isProved, member, now }: NewOwner): Promise<void> => {
  await tx
    .insertInto('organizations')
    .values({ ...organization, created_at: now, updated_at: now })
    .execute();
  await tx
    .insertInto('users')
    .values({ ...user, email_verified_at: isProved ? now : null, password_changed_at: now, created_at: now })
    .execute();
  await tx
    .insertInto('members')
    .values({ ...member, organization_id: organization.id, user_id: user.id, created_at: now })
    .execute();
};

/** A person of no organization yet, who has proved the address. The e-mail is taken by the first that commits. */
export const insertPerson = async (tx: TenantTransaction, user: NewOwner['user'], now: Date): Promise<void> => {
  await tx
    .insertInto('users')
    .values({ ...user, email_verified_at: now, password_changed_at: now, created_at: now })
    .execute();
};

/** A person as a member of one organization, with what they may do there now. */
export type Membership = Rights & {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly role_id: string;
  readonly role_name: string;
  /** Epochs of the person and of the membership: a session opened by this proof has their sum. */
  readonly person_epoch: number;
  readonly member_epoch: number;
  /** Since when the password is the one it is. */
  readonly password_changed_at: string;
};

/** True unless an administrator removed the password for this organization, and no other was set since. */
const PASSWORD_COUNTS = sql.raw('(m.password_since is null or u.password_changed_at > m.password_since)');

/** In the order of joining, by which one of them is chosen by default. */
const readMemberships = async <Row>(
  identity: Database,
  whose: RawBuilder<unknown>,
  organizationId: string | undefined,
  limit: number,
): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    select u.id as user_id, u.email, u.name, case when ${PASSWORD_COUNTS} then u.password_hash end as password_hash, m.organization_id,
           o.name as organization_name, m.role_id, coalesce(r.name, m.role_id) as role_name, ${memberRights},
           ${hasFactorInOrganization('u.id', sql`m.organization_id`)} as has_second_factor,
           u.session_epoch as person_epoch, m.session_epoch as member_epoch, u.password_changed_at
      from users u
      join members m on m.user_id = u.id
      join organizations o on o.id = m.organization_id
      ${readMemberRole('m')}
     where ${whose} and coalesce(o.deletes_at > now(), true) and (${organizationId ?? null}::text is null or m.organization_id = ${organizationId ?? null})
     order by m.created_at, m.organization_id
     limit ${limit}`.execute(identity);
  return rows;
};

/** Has no password if there is none, or an administrator of the organization removed it. */
export type SignInAccount = Membership & { readonly password_hash: string | null; readonly has_second_factor: boolean };

/** Finds a person by e-mail, in the named organization, or otherwise in the one they joined first. Undefined for a non-member. */
export const findAccount = async (
  identity: Database,
  email: string,
  organizationId: string | undefined,
): Promise<SignInAccount | undefined> => (await readMemberships<SignInAccount>(identity, sql`u.email = ${email}`, organizationId, 1))[0];

export const findMembership = async (identity: Database, userId: string, organizationId: string): Promise<Membership | undefined> =>
  (await readMemberships<Membership>(identity, sql`u.id = ${userId}`, organizationId, 1))[0];

type Entering = {
  readonly userId: string;
  readonly organizationId: string;
  readonly signInId: string | null;
  /** True if the sign-in began with a password. */
  readonly byPassword: boolean;
};

/**
 * Finds a membership that a session may be switched into: of a sign-in after an administrator ended earlier ones, and,
 * if it began with a password, of a person whose password counts there. Undefined otherwise.
 */
export const findMembershipToEnter = async (
  identity: Database,
  { userId, organizationId, signInId, byPassword }: Entering,
): Promise<Membership | undefined> =>
  (
    await readMemberships<Membership>(
      identity,
      sql`u.id = ${userId} and (not ${byPassword} or ${PASSWORD_COUNTS}) and (m.sign_ins_since is null
        or m.sign_ins_since < (select s.created_at from sessions s where s.id = ${signInId} and s.user_id = u.id))`,
      organizationId,
      1,
    )
  )[0];

/** All of a person's, or that in one organization. */
export const listMemberships = (identity: Database, userId: string, organizationId?: string): Promise<Membership[]> =>
  readMemberships<Membership>(identity, sql`u.id = ${userId}`, organizationId, LIMITS.memberships.shownMax);

export const findPasswordHash = async (identity: Database, userId: string): Promise<string | null> =>
  (await identity.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst())?.password_hash ?? null;

/** Renames a person of the tenant, in every organization. */
export const renamePerson = async (tx: TenantTransaction, userId: string, name: string): Promise<void> => {
  await tx.updateTable('users').set({ name }).where('id', '=', userId).execute();
};

export const findPersonByEmail = async (identity: Database, email: string): Promise<string | undefined> =>
  (await identity.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id;
