import type { KeyObject } from 'node:crypto';
import type { TreeHash } from './merkle.ts';
import { openCheckpoint, signCheckpoint } from './signed-note.ts';

/**
 * How many leaves of a log, from the first on, may be without their events since the time of these was over; and the log as it was when that was
 * said, so that it holds for no earlier one and for no other.
 */
export type Removal = { readonly leaves: number; readonly size: number; readonly root: TreeHash };

/** Called otherwise than the log, so that neither is ever taken for the other. */
const nameOf = (origin: string, leaves: number | string): string => `${origin}/retention/${leaves}`;

/** What retention may have removed of a log, signed as a checkpoint is [C2SP signed-note]. */
export const signRemoval = (origin: string, { leaves, size, root }: Removal, privateKey: KeyObject): string =>
  signCheckpoint({ origin: nameOf(origin, leaves), size, root }, privateKey);

/** What a note says that retention may have removed of this log, where one of these keys has signed it; undefined otherwise. */
export const openRemoval = (note: string, origin: string, keys: Iterable<KeyObject>): Removal | undefined => {
  const said = openCheckpoint(note, keys);
  const [, leaves] = /\/retention\/([1-9]\d{0,14})$/.exec(said?.origin ?? '') ?? [];
  if (said === undefined || leaves === undefined || said.origin !== nameOf(origin, leaves) || Number(leaves) > said.size) return undefined;
  return { leaves: Number(leaves), size: said.size, root: said.root };
};
