import type { KeyObject } from 'node:crypto';
import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { edgeCount, HASH_BYTES, leafHash, rootOf, type TreeEdge, type TreeHash } from './merkle.ts';
import { isBare, openCheckpoint, readCheckpoint } from './signed-note.ts';

/** What the log of an organization is called, by everybody and for ever: the installation's id comes back with its backups. */
export const originOf = (installationId: string, organizationId: string): string =>
  `${WIRE_NAME}-audit-log/${installationId}/${organizationId}`;

/** The leaf of an event: all that is told of it but its own place in the tree. */
export const eventLeafHash = ({ sequence: _, ...said }: AuditEvent): TreeHash => leafHash(canonicalJson(said));

/** Hashes that were kept one after the other. */
const hashesIn = (bytes: Buffer): TreeHash[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, n) => bytes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES));

/** A tree as it is kept, with the checkpoint that was signed of it. */
export type KeptTree = { readonly size: number; readonly root_hash: Buffer; readonly edge: Buffer; readonly checkpoint: string };

/**
 * What a kept tree grows from, where it is what the log signed; undefined where somebody changed what is kept. So nobody who can write to the
 * database, and does not have the key, makes the log sign another past. A checkpoint that is `known` was signed or checked by this process.
 */
export const openTree = (kept: KeptTree, origin: string, keys: Iterable<KeyObject>, known?: string): TreeEdge | undefined => {
  const said = kept.checkpoint === known ? readCheckpoint(known) : openCheckpoint(kept.checkpoint, keys);
  const tree = { size: kept.size, edge: hashesIn(kept.edge) };
  const isWhole = kept.edge.length === edgeCount(kept.size) * HASH_BYTES;
  if (!isWhole || !isBare(kept.checkpoint) || said?.origin !== origin || said.size !== kept.size) return undefined;
  return said.root.equals(rootOf(tree)) && said.root.equals(kept.root_hash) ? tree : undefined;
};
