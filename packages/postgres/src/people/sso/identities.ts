import type { SsoIdentity } from '@svc/contract/people/sso-sign-in.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { memberRights, readMemberRole } from '../auth/member-rights.ts';
import { SESSION_ENDED_AT } from '../auth/session-end.ts';

type Subject = { readonly organization_id: string; readonly connection_id: string; readonly subject: string };

/** Returns the owner of an identity; undefined if it has none yet. */
export const findIdentityOwner = async (tx: TenantTransaction, { organization_id, connection_id, subject }: Subject) =>
  (
    await tx
      .selectFrom('sso_identities')
      .select('user_id')
      .where('organization_id', '=', organization_id)
      .where('connection_id', '=', connection_id)
      .where('subject', '=', subject)
      .executeTakeFirst()
  )?.user_id;

export type NewIdentity = Subject & { readonly id: string; readonly user_id: string; readonly now: Date };

/** Returns false if the subject belongs to another. */
export const insertIdentity = async (tx: TenantTransaction, { now, ...row }: NewIdentity): Promise<boolean> => {
  const result = await tx
    .insertInto('sso_identities')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
};

export const listIdentities = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<SsoIdentity[]> => {
  const { rows } = await sql<SsoIdentity>`
    select i.id, i.connection_id, c.name as connection_name, c.issuer, i.subject, i.created_at
      from sso_identities i join sso_connections c on c.organization_id = i.organization_id and c.id = i.connection_id
     where i.organization_id = ${organizationId} and i.user_id = ${userId} order by i.id limit ${LIMITS.sso.identitiesMax}`.execute(tx);
  return rows;
};

export const deleteIdentity = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('sso_identities').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Before the session is opened: it ends with the connection. */
export const insertSsoSession = async (
  tx: TenantTransaction,
  row: { organization_id: string; session_id: string; connection_id: string; user_id: string },
): Promise<void> => {
  await tx.insertInto('sso_sessions').values(row).execute();
};

/** Binds a session to the connection that other sign-ins depend on, if there is one: all end with it. */
export const inheritConnection = async (
  tx: TenantTransaction,
  {
    organization_id,
    session_id,
    from,
  }: { readonly organization_id: string; readonly session_id: string; readonly from: readonly string[] },
): Promise<void> => {
  await sql`
    insert into sso_sessions (organization_id, session_id, connection_id, user_id)
    select organization_id, ${session_id}, connection_id, user_id from sso_sessions
     where organization_id = ${organization_id} and session_id = any (${[...from]}::text[]) limit 1
        on conflict do nothing`.execute(tx);
};

/** Ends the sessions of a person that a connection opened; returns them. */
export const endConnectionSessions = async (
  tx: TenantTransaction,
  { organization_id, connection_id, user_id }: { organization_id: string; connection_id: string; user_id: string },
  now: Date,
): Promise<readonly string[]> => {
  const rows = await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('id', 'in', (from) =>
      from
        .selectFrom('sso_sessions')
        .select('session_id')
        .where('organization_id', '=', organization_id)
        .where('connection_id', '=', connection_id)
        .where('user_id', '=', user_id),
    )
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns true if a person could still sign in to the organization without one of their identities. */
export const hasOtherSignInMethod = async (
  identity: Database,
  organizationId: string,
  userId: string,
  withoutId: string,
): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`
    select exists (select from users where id = ${userId} and password_hash is not null)
        or exists (select from sso_identities where organization_id = ${organizationId} and user_id = ${userId} and id <> ${withoutId}) as there`.execute(
    identity,
  );
  return rows[0]?.there ?? false;
};

/** A member as a sign-in finds them, with what they may do now. */
export type SsoMember = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role_id: string;
  readonly is_owner: boolean;
  readonly permissions: readonly string[];
  readonly workspace_ids: readonly string[] | null;
};

const membersWhere = async (tx: TenantTransaction, organizationId: string, which: ReturnType<typeof sql>): Promise<SsoMember[]> => {
  const { rows } = await sql<SsoMember>`
    select m.id, m.user_id, u.email, u.name, m.role_id, coalesce(not r.for_keys, false) as is_owner, ${memberRights}
      from members m join users u on u.id = m.user_id ${readMemberRole('m')}
     where m.organization_id = ${organizationId} and ${which}`.execute(tx);
  return rows;
};

export const findMembers = (tx: TenantTransaction, organizationId: string, userIds: readonly string[]): Promise<SsoMember[]> =>
  membersWhere(tx, organizationId, sql`m.user_id = any (${[...userIds]}::text[])`);

export const findMember = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<SsoMember | undefined> =>
  (await findMembers(tx, organizationId, [userId]))[0];

/**
 * Returns the member whom the organization's directory created with this address, and who has not signed in by an identity of the
 * connection.
 * No one else is found by address: others link their identities themselves, as does a provisioned member who has become an owner.
 */
export const findUnclaimed = async (
  tx: TenantTransaction,
  { organization_id, connection_id, email }: { organization_id: string; connection_id: string; email: string },
): Promise<SsoMember | undefined> =>
  (
    await membersWhere(
      tx,
      organization_id,
      sql`u.email = ${email} and m.provisioned_by = 'SCIM' and coalesce(r.for_keys, true) and not exists (select from sso_identities i
        where i.organization_id = m.organization_id and i.connection_id = ${connection_id} and i.user_id = m.user_id)`,
    )
  )[0];

/** The roles of the members whom a connection signs in, each once. */
export const listRolesOfLinked = async (tx: TenantTransaction, organizationId: string, connectionId: string): Promise<string[]> => {
  const { rows } = await sql<{ role_id: string }>`
    select distinct m.role_id from sso_identities i join members m on m.organization_id = i.organization_id and m.user_id = i.user_id
     where i.organization_id = ${organizationId} and i.connection_id = ${connectionId}`.execute(tx);
  return rows.map(({ role_id }) => role_id);
};

/** In one statement, for any number. */
export const setMemberRoles = async (
  tx: TenantTransaction,
  organizationId: string,
  given: readonly { readonly id: string; readonly role_id: string }[],
): Promise<void> => {
  await sql`update members m set role_id = g.role_id
      from unnest(${given.map(({ id }) => id)}::text[], ${given.map(({ role_id }) => role_id)}::text[]) as g (id, role_id)
     where m.organization_id = ${organizationId} and m.id = g.id`.execute(tx);
};

export type NewMember = {
  readonly organization_id: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly member: { readonly id: string; readonly role_id: string };
  readonly provisioned_by: 'SSO' | 'SCIM';
  readonly now: Date;
};

/**
 * Inserts a person without a password, whose address the organization is responsible for, and their membership. A taken address violates
 * the constraint `users_email_is_unique`.
 */
export const insertProvisioned = async (tx: TenantTransaction, { organization_id, user, member, provisioned_by, now }: NewMember) => {
  await tx
    .insertInto('users')
    .values({ ...user, password_hash: null, email_verified_at: now, created_at: now })
    .execute();
  await tx
    .insertInto('members')
    .values({ ...member, organization_id, user_id: user.id, provisioned_by, created_at: now })
    .execute();
};

/**
 * Returns true if a session of a member would still be accepted: it was not ended, and neither was its sign-in or all sessions of its
 * person. Checked
 * in the change that depends on it, before or after which all sessions of the person may end.
 */
export const isSessionAlive = async (
  tx: TenantTransaction,
  { organizationId, userId, id }: { readonly organizationId: string; readonly userId: string; readonly id: string },
  now: Date,
): Promise<boolean> => {
  const { rows } = await sql`
    select from sessions s
      join users u on u.id = s.user_id
      join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
       and s.epoch = u.session_epoch + m.session_epoch and s.created_at >= m.created_at
     where s.organization_id = ${organizationId} and s.id = ${id} and s.user_id = ${userId} and s.expires_at > ${now}
       and ${SESSION_ENDED_AT} is null
       for share of u`.execute(tx);
  return rows.length > 0;
};
