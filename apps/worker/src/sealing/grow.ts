import type { KeyObject } from 'node:crypto';
import { getLogOrigin } from '@svc/keyring/log/audit-log.ts';
import { computeRoot, growTree, TILE_WIDTH, type TileEntry, type TreeEdge } from '@svc/keyring/log/merkle.ts';
import { type CheckpointHistory, signCheckpoint } from '@svc/keyring/log/signed-note.ts';
import type { GrownTree } from '@svc/postgres/audit/log/sealing.ts';

/** The organization of the log, and its signing key. */
export type Sealer = {
  readonly installationId: string;
  readonly signingKey: KeyObject;
  /** Every key that it may have signed with, including that one. */
  readonly acceptedKeys: readonly KeyObject[];
  /** Reads the keys again: another worker may sign with a key that was created since. Returns true if they changed. */
  readonly renewKeys: () => Promise<boolean>;
};

/** Groups consecutive entries into the tiles that contain them. */
const asTiles = (entries: readonly TileEntry[]): GrownTree['tiles'] => {
  const tiles = new Map<string, { readonly level: number; readonly tile: number; readonly hashes: Buffer[] }>();
  for (const { level, index, hash } of entries) {
    const tile = Math.floor(index / TILE_WIDTH);
    const key = `${level} ${tile}`;
    const at = tiles.get(key) ?? { level, tile, hashes: [] };
    tiles.set(key, at);
    at.hashes.push(hash);
  }
  return [...tiles.values()].map(({ hashes, ...at }) => ({ ...at, hashes: Buffer.concat(hashes) }));
};

/** Returns the signed tree of an organization with these leaves added. */
export const appendToLog = (
  sealer: Sealer,
  organizationId: string,
  tree: TreeEdge,
  leaves: GrownTree['leaves'],
  history: CheckpointHistory,
): GrownTree => {
  const hashes = leaves.map(({ hash }) => hash);
  const grown = growTree(tree, hashes);
  const root = computeRoot(grown);
  const checkpoint = { origin: getLogOrigin(sealer.installationId, organizationId), size: grown.size, root, history };
  return {
    organization_id: organizationId,
    before: tree.size,
    size: grown.size,
    root,
    edge: Buffer.concat(grown.edge),
    checkpoint: signCheckpoint(checkpoint, sealer.signingKey),
    keptAt: history.kind === 'kept' ? history.at : null,
    leaves,
    tiles: asTiles(grown.entries),
  };
};
