import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type NewOwner = {
  readonly organization: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly password_hash: string };
  readonly member: { readonly id: string; readonly role_id: string };
  readonly now: Date;
};

/** An organization and the person who owns it. The e-mail is taken by the first that commits. */
export const insertOwner = async (tx: TenantTransaction, { organization, user, member, now }: NewOwner): Promise<void> => {
  await tx
    .insertInto('organizations')
    .values({ ...organization, created_at: now, updated_at: now })
    .execute();
  await tx
    .insertInto('users')
    .values({ ...user, created_at: now })
    .execute();
  await tx
    .insertInto('members')
    .values({ ...member, organization_id: organization.id, user_id: user.id, created_at: now })
    .execute();
};

/** A person by e-mail, with the membership they sign in to. */
export type Account = {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly role_id: string;
};

/** Somebody of several organizations signs in to the one they joined first. */
export const findAccount = (identity: Database, email: string): Promise<Account | undefined> =>
  identity
    .selectFrom('users as u')
    .innerJoin('members as m', 'm.user_id', 'u.id')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['u.id as user_id', 'u.email', 'u.name', 'u.password_hash', 'm.organization_id', 'o.name as organization_name', 'm.role_id'])
    .where('u.email', '=', email)
    .orderBy('m.created_at')
    .limit(1)
    .executeTakeFirst();

export const findPasswordHash = async (identity: Database, userId: string): Promise<string | null> =>
  (await identity.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst())?.password_hash ?? null;
