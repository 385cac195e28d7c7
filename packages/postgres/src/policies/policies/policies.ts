import type { Policy } from '@svc/contract/policies/policies.ts';
import type { PolicyVersion } from '@svc/contract/policies/versions.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { findFittingRows } from '../../lists/fitting-rows.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

type Head = Omit<Policy, 'bindings' | 'active_version' | 'versions' | 'status'> & { readonly suspended_at: string | null };
type Binding = Policy['bindings'][number] & { readonly policy_id: string };
type Version = PolicyVersion & { readonly policy_id: string };

const HEAD = ['id', 'name', 'description', 'created_at', 'updated_at', 'suspended_at'] as const;
const VERSION = [
  'policy_id',
  'id as version_id',
  'version_number',
  'status',
  'rules',
  'tests',
  'currency',
  'created_at',
  'created_by',
] as const;

/** Maximum number of versions in a response in addition to the active one; a version may be as large as a body. */
const LISTED_VERSIONS_MAX = 10;
const SHOWN_VERSIONS_MAX = 50;

const withoutPolicy = <Row extends { readonly policy_id: string }>({ policy_id: _, ...rest }: Row): Omit<Row, 'policy_id'> => rest;

const joined = ({ suspended_at, ...head }: Head, bindings: readonly Binding[], versions: readonly Version[]): Policy => {
  const active = versions.find((version) => version.status === 'ACTIVE');
  return {
    ...head,
    status: active ? 'ACTIVE' : suspended_at === null ? 'DRAFT' : 'SUSPENDED',
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

const placed = (tx: TenantTransaction, organizationId: string, policyIds: readonly string[]) =>
  tx
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
    .where('policy_id', 'in', policyIds)
    .as('placed');

/** The newest versions of each policy and the active ones, newest first. */
const shownVersions = (tx: TenantTransaction, organizationId: string, policyIds: readonly string[], newest: number): Promise<Version[]> =>
  selectVersions(tx, organizationId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom(placed(tx, organizationId, policyIds))
        .select('placed.id')
        .where((or) => or.or([or('placed.place', '<=', newest), or('placed.status', '=', 'ACTIVE')])),
    )
    .execute();

const withParts = async (tx: TenantTransaction, organizationId: string, heads: readonly Head[], newest: number): Promise<Policy[]> => {
  const ids = heads.map((head) => head.id);
  if (ids.length === 0) return [];
  const bindings = await selectBindings(tx, organizationId).where('policy_id', 'in', ids).execute();
  const bindingsOf = Map.groupBy(bindings, (row) => row.policy_id);
  const versionsOf = Map.groupBy(await shownVersions(tx, organizationId, ids, newest), (row) => row.policy_id);
  return heads.map((head) => joined(head, bindingsOf.get(head.id) ?? [], versionsOf.get(head.id) ?? []));
};

const selectHeads = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('policies').select(HEAD).where('organization_id', '=', organizationId).where('deleted_at', 'is', null);

/** A version in bytes, about. */
const VERSION_BYTES = sql`octet_length(v.rules::text) + octet_length(v.tests::text)`;

const fittingPolicies = (tx: TenantTransaction, organizationId: string, part: ListedPart) =>
  findFittingRows(
    tx,
    part,
    ({ limit, offset }) =>
      sql`select p.id as place, (
          select coalesce(sum(bytes), 0) from (
            select ${VERSION_BYTES} as bytes, v.status, row_number() over (order by v.version_number desc) as place
              from policy_versions v where v.organization_id = p.organization_id and v.policy_id = p.id) as shown
           where place <= ${LISTED_VERSIONS_MAX} or status = 'ACTIVE') as bytes
          from policies p where p.organization_id = ${organizationId} and p.deleted_at is null
         order by p.id desc limit ${limit} offset ${offset}`,
  );

/** Policies in scope, newest first. */
export const listPolicies = async (tx: TenantTransaction, organizationId: string, part: ListedPart): Promise<Listed<Policy>> => {
  const { rows, ...rest } = await listed(
    { ...part, limit: await fittingPolicies(tx, organizationId, part) },
    ({ limit, offset }) => selectHeads(tx, organizationId).orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, selectHeads(tx, organizationId), max),
  );
  return { rows: await withParts(tx, organizationId, rows, LISTED_VERSIONS_MAX), ...rest };
};

/** Returns one policy; undefined if none of that id is in scope. */
export const findPolicy = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Policy | undefined> => {
  const heads = await selectHeads(tx, organizationId).where('id', '=', id).execute();
  return (await withParts(tx, organizationId, heads, SHOWN_VERSIONS_MAX))[0];
};

/** Versions of one policy, newest first. */
export const listVersions = async (
  tx: TenantTransaction,
  organizationId: string,
  policyId: string,
  part: ListedPart,
): Promise<Listed<PolicyVersion>> => {
  const ofPolicy = () => selectVersions(tx, organizationId).where('policy_id', '=', policyId);
  const limit = await findFittingRows(
    tx,
    part,
    ({ limit, offset }) =>
      sql`select v.version_number as place, ${VERSION_BYTES} as bytes from policy_versions v
         where v.organization_id = ${organizationId} and v.policy_id = ${policyId}
         order by v.version_number desc limit ${limit} offset ${offset}`,
  );
  return listed(
    { ...part, limit },
    async ({ limit, offset }) => (await ofPolicy().limit(limit).offset(offset).execute()).map(withoutPolicy),
    (max) => countUpTo(tx, ofPolicy().clearSelect().clearOrderBy().select('id'), max),
  );
};

export type PolicyHead = { readonly id: string; readonly name: string; readonly description: string };

const selectHead = (tx: TenantTransaction, organizationId: string, id: string) =>
  tx
    .selectFrom('policies')
    .select(['id', 'name', 'description'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);

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

/** Notes that the policy changed, its new name or description, and since when it is out of force (null when it is not). */
export const touchPolicy = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  change: { readonly name?: string; readonly description?: string; readonly suspended_at?: Date | null; readonly now: Date },
): Promise<void> => {
  const { now, ...head } = change;
  await tx
    .updateTable('policies')
    .set({ ...head, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

/** Hides the policy for good and frees its name. Its versions stay, since recorded actions name them; it binds nothing any more. */
export const markPolicyDeleted = async (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<void> => {
  await tx.deleteFrom('policy_bindings').where('organization_id', '=', organizationId).where('policy_id', '=', id).execute();
  await tx
    .updateTable('policies')
    .set({ deleted_at: now, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};
