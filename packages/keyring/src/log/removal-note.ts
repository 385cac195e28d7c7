import type { KeyObject } from 'node:crypto';
import type { TreeHash } from './merkle.ts';
import { openCheckpoint, signCheckpoint } from './signed-note.ts';

/**
 * The number of leaves of a log, from the first on, whose events may be gone since their retention ended; and the log at that time,
 * so that the note is valid for no earlier log and for no other.
 */
export type Removal = { readonly leaves: number; readonly size: number; readonly root: TreeHash };

/** A name different from the log's, so that neither note passes for the other. */
const getName = (origin: string, leaves: number | string): string => `${origin}/retention/${leaves}`;

/** Signs a note of what retention may have removed from a log, in the form of a checkpoint [C2SP signed-note]. */
export const signRemoval = (origin: string, { leaves, size, root }: Removal, privateKey: KeyObject): string =>
  signCheckpoint({ origin: getName(origin, leaves), size, root }, privateKey);

/** Returns what retention may have removed from this log according to a note, if one of these keys signed it; undefined otherwise. */
export const openRemoval = (note: string, origin: string, keys: Iterable<KeyObject>): Removal | undefined => {
  const said = openCheckpoint(note, keys);
  const [, leaves] = /\/retention\/([1-9]\d{0,14})$/.exec(said?.origin ?? '') ?? [];
  if (said === undefined || leaves === undefined || said.origin !== getName(origin, leaves) || Number(leaves) > said.size) return undefined;
  return { leaves: Number(leaves), size: said.size, root: said.root };
};
