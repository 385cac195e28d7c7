import type { Bytes } from '@svc/http/wires/bytes.ts';
import { TILE_WIDTH } from '@svc/keyring/log/merkle.ts';
import { findTree, readParts } from '@svc/postgres/audit/log/read-log.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant, type TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { readTileAddress } from './tile-address.ts';

/** Returns the hashes of a tile; undefined if the log has no such tile or fewer hashes in it. */
export const answerTile = async (
  { database, scope }: { readonly database: Database; readonly scope: TenantScope },
  level: string,
  segments: readonly string[],
): Promise<Bytes | undefined> => {
  const part = readTileAddress(level, segments.join('/'));
  if (part === undefined) return undefined;
  const hashes = await readInTenant(database, scope, async (tx) => {
    const tree = await findTree(tx, scope.organization_id);
    const isSealed = (part.from + part.count) * TILE_WIDTH ** part.level <= (tree?.size ?? 0);
    return isSealed ? (await readParts(tx, scope.organization_id, [part]))(part) : [];
  });
  return hashes.length === part.count ? { type: 'application/octet-stream', bytes: Buffer.concat(hashes) } : undefined;
};
