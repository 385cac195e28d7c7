import { computeRoot, EMPTY_TREE, growTree, TILE_WIDTH } from '@svc/keyring/log/merkle.ts';
import type pg from 'pg';
import type { LogKey, SealedLog } from './sealed-log.ts';

/** Stores the first leaves of a log in a database, with its tree, replacing what is there. Only tiles of one level are stored. */
export const keepLog = async (owner: pg.Client, log: SealedLog, size = log.events.length, by?: LogKey): Promise<void> => {
  const hashes = log.hashes.slice(0, size);
  const tree = growTree(EMPTY_TREE, hashes);
  const id = log.organizationId;
  for (const table of ['audit_leaves', 'audit_tiles', 'audit_trees'])
    await owner.query(`delete from ${table} where organization_id = $1`, [id]);
  await owner.query(
    'insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash) select $1, n - 1, id, hash from unnest($2::text[], $3::bytea[]) with ordinality as l (id, hash, n)',
    [id, log.events.slice(0, size).map((event) => event.id), hashes],
  );
  const full = tree.entries.filter(({ level }) => level === 1).slice(0, TILE_WIDTH);
  if (full.length > 0)
    await owner.query('insert into audit_tiles (organization_id, level, tile, hashes) values ($1, 1, 0, $2)', [
      id,
      Buffer.concat(full.map(({ hash }) => hash)),
    ]);
  await owner.query('insert into audit_trees (organization_id, size, root_hash, edge, checkpoint) values ($1, $2, $3, $4, $5)', [
    ...[id, size, computeRoot(tree), Buffer.concat(tree.edge)],
    log.checkpointOf(size, by),
  ]);
};
