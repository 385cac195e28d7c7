import type { KeyObject } from 'node:crypto';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { computeRoot, countEdges, HASH_BYTES, leafHash, type TreeEdge, type TreeHash } from './merkle.ts';
import { isBare, openCheckpoint, readCheckpoint } from './signed-note.ts';

/** Returns the permanent origin line of an organization's log: the installation's id is restored with its backups. */
export const getLogOrigin = (installationId: string, organizationId: string): string =>
  `${WIRE_NAME}-audit-log/${installationId}/${organizationId}`;

/** Returns the leaf hash of an event: everything it states except its position in the tree. */
export const eventLeafHash = ({ sequence: _, ...said }: AuditEvent): TreeHash => leafHash(canonicalJson(said));

/** Splits stored bytes into hashes. */
const findHashes = (bytes: Buffer): TreeHash[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, n) => bytes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES));

/** A tree as stored, with its signed checkpoint. */
export type KeptTree = { readonly size: number; readonly root_hash: Buffer; readonly edge: Buffer; readonly checkpoint: string };

/**
 * Returns the tree to grow from if it is what the log signed; undefined if the stored tree was changed. So an attacker who can write to the
 * database, but does not have the key, cannot make the log sign another history. A checkpoint in `known` was signed or verified by this
 * process.
 */
export const openTree = (kept: KeptTree, origin: string, keys: Iterable<KeyObject>, known?: string): TreeEdge | undefined => {
  const said = kept.checkpoint === known ? readCheckpoint(known) : openCheckpoint(kept.checkpoint, keys);
  const tree = { size: kept.size, edge: findHashes(kept.edge) };
  const isWhole = kept.edge.length === countEdges(kept.size) * HASH_BYTES;
  if (!isWhole || !isBare(kept.checkpoint) || said?.origin !== origin || said.size !== kept.size) return undefined;
  return said.root.equals(computeRoot(tree)) && said.root.equals(kept.root_hash) ? tree : undefined;
};
