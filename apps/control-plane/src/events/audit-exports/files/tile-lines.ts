import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ExportedLeaf } from '@svc/postgres/events/audit-exports.ts';

/** Formats leaf hashes as lines of an export; consecutive ones share a line. */
export const formatTileLines = (leaves: readonly ExportedLeaf[]): string => {
  const runs: ExportedLeaf[][] = [];
  for (const leaf of leaves) {
    const run = runs.at(-1);
    const goesOn = run !== undefined && run.length < LIMITS.exports.hashesPerLineMax && run.at(-1)?.leaf_index === leaf.leaf_index - 1;
    if (goesOn) run.push(leaf);
    else runs.push([leaf]);
  }
  return runs
    .map((run) => ({ from: run[0]?.leaf_index, hashes: Buffer.concat(run.map(({ leaf_hash }) => leaf_hash)).toString('base64') }))
    .map((tile) => `${JSON.stringify({ tile })}\n`)
    .join('');
};
