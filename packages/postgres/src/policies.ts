import type { Policy, PolicyVersion } from '@svc/contract/policies.ts';
import type { TenantTransaction } from './in-tenant.ts';

type Head = Omit<Policy, 'bindings' | 'active_version' | 'versions'>;
type Binding = Policy['bindings'][number] & { readonly policy_id: string };
type Version = PolicyVersion & { readonly policy_id: string };

const HEAD = ['id', 'name', 'description', 'created_at', 'updated_at'] as const;
const VERSION = ['policy_id', 'id as version_id', 'version_number', 'status', 'rules', 'tests', 'created_at', 'created_by'] as const;

/** A list shows this many versions of each policy, and the active one. */
const LISTED_VERSIONS_MAX = 10;

const withoutPolicy = <Row extends { readonly policy_id: string }>({ policy_id: _, ...rest }: Row): Omit<Row, 'policy_id'> => rest;

const joined = (head: Head, bindings: readonly Binding[], versions: readonly Version[]): Policy => {
  const active = versions.find((version) => version.status === 'ACTIVE');
  return {
    ...head,
    bindings: bindings.map(withoutPolicy),
    active_version: active ? { version_id: active.version_id, version_number: active.version_number } : null,
    versions: versions.map(withoutPolicy),
  };
};

const selectBindings = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('policy_bindings')
    .select(['policy_id', 'id', 'scope', 'target_id'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id');

const selectVersions = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('policy_versions').select(VERSION).where('organization_id', '=', organizationId).orderBy('version_number', 'desc');

/** All policies in scope, newest first. */
export const listPolicies = async (tx: TenantTransaction, organizationId: string): Promise<Policy[]> => {
  const heads = await tx.selectFrom('policies').select(HEAD).where('organization_id', '=', organizationId).orderBy('id', 'desc').execute();
  const newest = tx
    .selectFrom('policy_versions')
    .select(({ fn }) => [
      'id',
      'status',
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('policy_id').orderBy('version_number', 'desc'))
        .as('place'),
    ])
    .where('organization_id', '=', organizationId)
    .as('newest');
  const versions = await selectVersions(tx, organizationId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom(newest)
        .select('newest.id')
        .where((or) => or.or([or('newest.place', '<=', LISTED_VERSIONS_MAX), or('newest.status', '=', 'ACTIVE')])),
    )
    .execute();
  const bindingsOf = Map.groupBy(await selectBindings(tx, organizationId).execute(), (row) => row.policy_id);
  const versionsOf = Map.groupBy(versions, (row) => row.policy_id);
  return heads.map((head) => joined(head, bindingsOf.get(head.id) ?? [], versionsOf.get(head.id) ?? []));
};

/** One policy with every version, or undefined when there is none of that id in scope. */
export const findPolicy = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Policy | undefined> => {
  const head = await tx
    .selectFrom('policies')
    .select(HEAD)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!head) return undefined;
  const bindings = await selectBindings(tx, organizationId).where('policy_id', '=', id).execute();
  return joined(head, bindings, await selectVersions(tx, organizationId).where('policy_id', '=', id).execute());
};

export type PolicyHead = { readonly id: string; readonly name: string; readonly description: string };

const selectHead = (tx: TenantTransaction, organizationId: string, id: string) =>
  tx.selectFrom('policies').select(['id', 'name', 'description']).where('organization_id', '=', organizationId).where('id', '=', id);

export const readPolicyHead = (tx: TenantTransaction, organizationId: string, id: string): Promise<PolicyHead | undefined> =>
  selectHead(tx, organizationId, id).executeTakeFirst();

/** Holds the policy until the transaction ends: who changes its versions at the same time waits. Undefined when it is not in scope. */
export const lockPolicy = (tx: TenantTransaction, organizationId: string, id: string): Promise<PolicyHead | undefined> =>
  selectHead(tx, organizationId, id).forNoKeyUpdate().executeTakeFirst();

export const insertPolicy = async (
  tx: TenantTransaction,
  organizationId: string,
  policy: PolicyHead & { readonly now: Date },
): Promise<void> => {
  const { now, ...head } = policy;
  await tx
    .insertInto('policies')
    .values({ organization_id: organizationId, ...head, created_at: now, updated_at: now })
    .execute();
};

/** Notes that the policy changed, and its new name or description. */
export const touchPolicy = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  change: { readonly name?: string; readonly description?: string; readonly now: Date },
): Promise<void> => {
  const { now, ...head } = change;
  await tx
    .updateTable('policies')
    .set({ ...head, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};
