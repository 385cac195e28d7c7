import { hashOver, type Leaves, listTileParts, type TreeHash } from '@svc/keyring/log/merkle.ts';
import { readParts } from '@svc/postgres/audit/log/read-log.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

/** Returns the hashes over segments of leaves of a log, read together. A missing part of the tree makes them differ. */
export const readSegmentHashes = async (
  tx: TenantTransaction,
  organizationId: string,
  stretches: readonly Leaves[],
): Promise<readonly TreeHash[]> => {
  const asked = stretches.filter(({ from, to }) => from < to).flatMap(listTileParts);
  const hashesOf = await readParts(tx, organizationId, asked);
  return stretches.map((leaves) => hashOver(leaves, hashesOf));
};
