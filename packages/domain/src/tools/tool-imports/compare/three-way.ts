import { escapePointerToken } from '@svc/contract/rows/fault.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { deriveCanonicalKey } from '../../schema/canonical-key.ts';
import { readMemberValue } from '../draft/reading.ts';

export const isSame = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : deriveCanonicalKey(one) === deriveCanonicalKey(other);

/** One position of a tool in three states: current, as imported, and in the new document. A missing value is undefined. */
export type Ways = { readonly made: unknown; readonly taken: unknown; readonly said: unknown };

export type Merging = {
  /** The side preferred in a conflict: people, or the document. */
  readonly prefers: 'made' | 'said';
  /** Pointers of the conflicts. */
  readonly conflicts: string[];
};

export type Merge = (ways: Ways, at: string, on: Merging) => unknown;

/** The side that changed a value wins. Different changes by people and the document are a conflict. */
export const mergeValue: Merge = ({ made, taken, said }, at, on) => {
  if (isSame(taken, said) || isSame(made, said)) return made;
  if (isSame(made, taken)) return said;
  on.conflicts.push(at);
  return on.prefers === 'said' ? said : made;
};

export type MembersWays = { readonly made: JsonObject; readonly taken: JsonObject; readonly said: JsonObject };

/** Merges members by name: those of people in their order, and then the document's additions. */
export const mergeMembers = ({ made, taken, said }: MembersWays, at: string, on: Merging, merge: Merge = mergeValue): JsonObject => {
  const names = new Set([...Object.keys(made), ...Object.keys(said), ...Object.keys(taken)]);
  const merged = [...names].map((name) => {
    const ways = { made: readMemberValue(made, name), taken: readMemberValue(taken, name), said: readMemberValue(said, name) };
    return [name, merge(ways, `${at}/${escapePointerToken(name)}`, on)] as const;
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
};
