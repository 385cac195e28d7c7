import type { VersionBody } from '@svc/contract/policies/language.ts';
import type { VersionStatus } from '@svc/contract/tables/vocabulary.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** A version as it is stored. Its body passed validation when it was saved. */
export type StoredVersion = {
  readonly id: string;
  readonly version_number: number;
  readonly status: VersionStatus;
  readonly created_at: string;
  readonly created_by: string;
  /** The currency of its amounts. */
  readonly currency: string;
  readonly body: VersionBody;
};

/** Which version of a policy is meant. */
export type WhichVersion = { readonly id: string } | { readonly number: number } | 'newest' | 'active';

/** Returns a version of this policy; undefined if there is none. */
export const findPolicyVersion = async (
  tx: TenantTransaction,
  organizationId: string,
  policyId: string,
  which: WhichVersion,
): Promise<StoredVersion | undefined> => {
  const ofPolicy = tx
    .selectFrom('policy_versions')
    .select(['id', 'version_number', 'status', 'created_at', 'created_by', 'currency', 'rules', 'tests'])
    .where('organization_id', '=', organizationId)
    .where('policy_id', '=', policyId);
  const asked =
    which === 'newest'
      ? ofPolicy.orderBy('version_number', 'desc').limit(1)
      : which === 'active'
        ? ofPolicy.where('status', '=', 'ACTIVE')
        : 'id' in which
          ? ofPolicy.where('id', '=', which.id)
          : ofPolicy.where('version_number', '=', which.number);
  const row = await asked.executeTakeFirst();
  if (!row) return undefined;
  const { rules, tests, ...version } = row;
  return { ...version, body: { rules, tests } as VersionBody };
};

/** The number of the newest version; undefined when this scope holds no such policy. */
export const findNewestVersionNumber = async (
  tx: TenantTransaction,
  organizationId: string,
  policyId: string,
): Promise<number | undefined> =>
  (
    await tx
      .selectFrom('policy_versions')
      .select('version_number')
      .where('organization_id', '=', organizationId)
      .where('policy_id', '=', policyId)
      .orderBy('version_number', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.version_number;

export type NewVersion = {
  readonly id: string;
  readonly policy_id: string;
  readonly version_number: number;
  readonly status: 'DRAFT' | 'ACTIVE';
  readonly body: VersionBody;
  /** The base currency of the organization when it is left out. */
  readonly currency?: string;
  readonly created_by: string;
  readonly now: Date;
};

export const insertPolicyVersion = async (tx: TenantTransaction, organizationId: string, version: NewVersion): Promise<void> => {
  const { body, now, ...row } = version;
  await tx
    .insertInto('policy_versions')
    .values({
      ...row,
      organization_id: organizationId,
      rules: JSON.stringify(body.rules),
      tests: JSON.stringify(body.tests),
      created_at: now,
      activated_at: row.status === 'ACTIVE' ? now : null,
    })
    .execute();
};

/** Takes the version that binds out of force; there is at most one. Answers its number, or null when none was in force. */
export const supersedeActiveVersion = async (tx: TenantTransaction, organizationId: string, policyId: string): Promise<number | null> => {
  const row = await tx
    .updateTable('policy_versions')
    .set({ status: 'SUPERSEDED' })
    .where('organization_id', '=', organizationId)
    .where('policy_id', '=', policyId)
    .where('status', '=', 'ACTIVE')
    .returning('version_number')
    .executeTakeFirst();
  return row?.version_number ?? null;
};

/** Puts a draft in force. The one before it has been superseded in the same transaction. */
export const activateDraft = async (tx: TenantTransaction, organizationId: string, versionId: string, now: Date): Promise<void> => {
  await tx
    .updateTable('policy_versions')
    .set({ status: 'ACTIVE', activated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', versionId)
    .where('status', '=', 'DRAFT')
    .execute();
};
