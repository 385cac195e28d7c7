import type { PolicyInvariant } from '@svc/contract/policies/invariants.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../lists/listed.ts';

const COLUMNS = [
  'id',
  'name',
  'description',
  'condition',
  'if_missing',
  'at_least',
  'at_most',
  'currency',
  'workspace_id',
  'environment_id',
  'created_at',
  'created_by',
] as const;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('policy_invariants').select(COLUMNS).where('organization_id', '=', organizationId);

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

const getScope = (organizationId: string, { workspace_id, environment_id }: Row): PolicyInvariant['scope'] => {
  if (environment_id !== null) return { scope: 'ENVIRONMENT', id: environment_id };
  return workspace_id === null ? { scope: 'ORGANIZATION', id: organizationId } : { scope: 'WORKSPACE', id: workspace_id };
};

const shown = (organizationId: string, row: Row): PolicyInvariant => {
  const { condition, workspace_id: _, environment_id: __, ...rest } = row;
  return { ...rest, when: condition, scope: getScope(organizationId, row) };
};

/** Invariants that hold in or around this scope, newest first. */
export const listPolicyInvariants = (tx: TenantTransaction, organizationId: string, part: ListedPart): Promise<Listed<PolicyInvariant>> =>
  listed(
    part,
    async ({ limit, offset }) => {
      const rows = await select(tx, organizationId).orderBy('id', 'desc').limit(limit).offset(offset).execute();
      return rows.map((row) => shown(organizationId, row));
    },
    (max) => countUpTo(tx, select(tx, organizationId), max),
  );

/** All of them, in the order in which they were stated. */
export const allPolicyInvariants = async (tx: TenantTransaction, organizationId: string): Promise<PolicyInvariant[]> =>
  (await select(tx, organizationId).orderBy('id').execute()).map((row) => shown(organizationId, row));

export const findPolicyInvariant = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
): Promise<PolicyInvariant | undefined> => {
  const row = await select(tx, organizationId).where('id', '=', id).executeTakeFirst();
  return row && shown(organizationId, row);
};

export type NewInvariant = Omit<PolicyInvariant, 'scope' | 'created_at'> & {
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  readonly now: Date;
};

export const insertPolicyInvariant = async (tx: TenantTransaction, organizationId: string, invariant: NewInvariant): Promise<void> => {
  const { when, now, ...row } = invariant;
  await tx
    .insertInto('policy_invariants')
    .values({ ...row, organization_id: organizationId, condition: when === null ? null : JSON.stringify(when), created_at: now })
    .execute();
};

/** Returns true if it existed, in this scope. */
export const deletePolicyInvariant = async (tx: TenantTransaction, organizationId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('policy_invariants')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};
