import type { LogProof } from '@svc/contract/events/audit-log.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { listInclusionPath } from '@svc/keyring/log/merkle.ts';
import { findLeaf, findTree } from '@svc/postgres/audit/log/read-log.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readSegmentHashes } from './hashes-over.ts';

const NOT_YET = 'The event is not sealed yet. Sealing takes about a second and requires a running worker. Try again.';

/** Builds the inclusion proof of an event up to the newest checkpoint of its organization. */
export const proveEvent = async (tx: TenantTransaction, organizationId: string, eventId: string) => {
  const leaf = await findLeaf(tx, organizationId, eventId);
  const tree = await findTree(tx, organizationId);
  const isSealed = leaf !== undefined && tree !== undefined && leaf.leaf_index >= 0 && leaf.leaf_index < tree.size;
  if (!isSealed) return buildRefusal('CONFLICT', NOT_YET, { retry_after_seconds: 1 });
  const path = await readSegmentHashes(tx, organizationId, listInclusionPath(leaf.leaf_index, { from: 0, to: tree.size }));
  const proof: LogProof = {
    sequence: leaf.leaf_index,
    leaf_hash: leaf.leaf_hash.toString('base64'),
    tree_size: tree.size,
    root_hash: tree.root_hash.toString('base64'),
    inclusion_path: path.map((hash) => hash.toString('base64')),
    checkpoint: tree.checkpoint,
  };
  return proof;
};
