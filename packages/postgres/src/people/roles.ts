import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import { type ExpressionBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Tables } from '../connection/tables.ts';

export type StoredRole = RoleRecord & { readonly description: string; readonly for_keys: boolean };

const isBuiltIn = sql<boolean>`r.organization_id is null`;

/** The built-in roles and the organization's own. */
const ofOrganization = (organizationId: string) => (eb: ExpressionBuilder<{ r: Tables['roles'] }, 'r'>) =>
  eb.or([eb('r.organization_id', 'is', null), eb('r.organization_id', '=', organizationId)]);

const selectRoles = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('roles as r')
    .where(ofOrganization(organizationId))
    .select(['r.id', 'r.name', 'r.description', 'r.permissions', 'r.for_keys', isBuiltIn.as('built_in')]);

/** The built-in ones first, strongest first. */
export const listRoles = (tx: TenantTransaction, organizationId: string): Promise<StoredRole[]> =>
  selectRoles(tx, organizationId).orderBy('r.id').limit(LIMITS.roles.shownMax).execute();

export const findRole = (tx: TenantTransaction, organizationId: string, id: string): Promise<StoredRole | undefined> =>
  selectRoles(tx, organizationId).where('r.id', '=', id).executeTakeFirst();

export type NewRole = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: string[];
  readonly now: Date;
};

export const insertRole = async (tx: TenantTransaction, organizationId: string, { now, ...row }: NewRole): Promise<void> => {
  await tx
    .insertInto('roles')
    .values({ ...row, organization_id: organizationId, created_at: now, updated_at: now })
    .execute();
};

/** Updates one of the organization's own roles. */
export const updateRole = async (tx: TenantTransaction, organizationId: string, { id, now, ...changed }: NewRole): Promise<void> => {
  await tx
    .updateTable('roles')
    .set({ ...changed, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

export const deleteRole = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('roles').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

export const countOwnRoles = async (tx: TenantTransaction, organizationId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('roles')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** The role a person holds now, or null when they are no member or it is a role that is not there. */
export const findMemberRole = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<StoredRole | null> => {
  const row = await selectRoles(tx, organizationId)
    .innerJoin('members as m', 'm.role_id', 'r.id')
    .where('m.organization_id', '=', organizationId)
    .where('m.user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
};

/** Every role with those people of the organization who hold it. */
export const readStaff = (
  tx: TenantTransaction,
  organizationId: string,
): Promise<(RoleRecord & { readonly member_ids: readonly string[] })[]> =>
  selectRoles(tx, organizationId)
    .select(
      sql<
        string[]
      >`array(select m.user_id from members m where m.organization_id = ${organizationId} and m.role_id = r.id order by m.user_id)`.as(
        'member_ids',
      ),
    )
    .orderBy('r.id')
    .execute();
