import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { type Changes, diffVersions } from '@svc/policy/trial/diff-versions.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findPolicyVersion, type StoredVersion } from '@svc/postgres/policies/versions.ts';

const listNames = <Item>({ added, removed, changed }: Changes<Item>, nameOf: (item: Item) => string) => ({
  added: added.map(nameOf),
  removed: removed.map(nameOf),
  changed: changed.map(({ id }) => id),
});

/**
 * Returns VERSION_CONFLICT if the change is based on another version than the newest, with who saved that one and its changes; undefined if
 * the change may continue, or names no version.
 */
export const findVersionConflict = async (
  tx: TenantTransaction,
  organizationId: string,
  policyId: string,
  newest: StoredVersion,
  edited: number | undefined,
): Promise<Refusal<'VERSION_CONFLICT'> | undefined> => {
  if (edited === undefined || edited === newest.version_number) return undefined;
  const base = await findPolicyVersion(tx, organizationId, policyId, { number: edited });
  const { id: version_id, version_number, created_at, created_by } = newest;
  const changes = base && diffVersions(base.body, newest.body);
  return buildRefusal(
    'VERSION_CONFLICT',
    'Another version was saved in the meantime. Read it, apply your change to it, and send its number.',
    {
      expected_version: edited,
      newest_version: { version_id, version_number, created_at, created_by },
      ...(changes ? { rules: listNames(changes.rules, (rule) => rule.id), tests: listNames(changes.tests, (one) => one.name) } : {}),
    },
  );
};
