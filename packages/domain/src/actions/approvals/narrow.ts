import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Fault } from '../../tools/fault.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values are the same as JSON. */
export const isSame = (one: unknown, other: unknown, depth = 0): boolean => {
  if (depth > LIMITS.approvals.editDepthMax) return false;
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((each, n) => isSame(each, other[n], depth + 1));
  if (!isObject(one)) return one === other;
  if (!isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name], depth + 1))
  );
};

/** Nearer to zero on the same side, or the same. */
const isNearer = (asked: number, edited: number): boolean => Math.abs(edited) <= Math.abs(asked) && asked * edited >= 0;

/** Whether every element of the shorter list is one of the longer, in its order. */
const isPartOf = (asked: readonly unknown[], edited: readonly unknown[]): boolean => {
  let from = 0;
  for (const each of edited) {
    while (from < asked.length && !isSame(asked[from], each)) from += 1;
    if (from === asked.length) return false;
    from += 1;
  }
  return true;
};

const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const ofLists = (asked: readonly unknown[], edited: readonly unknown[], at: string, depth: number): Fault[] => {
  if (asked.length === edited.length) return asked.flatMap((each, n) => ofValues(each, edited[n], `${at}/${n}`, depth + 1));
  if (edited.length < asked.length && isPartOf(asked, edited)) return [];
  return [{ pointer: at, message: 'may leave elements out, in their order, and hold none that was not asked' }];
};

const ofObjects = (asked: JsonObject, edited: JsonObject, at: string, depth: number): Fault[] =>
  Object.keys(edited).flatMap((name) => {
    const pointer = `${at}/${pointerToken(name)}`;
    if (!Object.hasOwn(asked, name)) return [{ pointer, message: 'was not asked' }];
    return ofValues(asked[name], edited[name], pointer, depth + 1);
  });

const ofValues = (asked: unknown, edited: unknown, at: string, depth: number): Fault[] => {
  if (depth > LIMITS.approvals.editDepthMax) return [{ pointer: at, message: 'is nested too deeply to be compared' }];
  if (Array.isArray(asked) && Array.isArray(edited)) return ofLists(asked, edited, at, depth);
  if (isObject(asked) && isObject(edited)) return ofObjects(asked, edited, at, depth);
  if (typeof asked === 'number' && typeof edited === 'number')
    return isNearer(asked, edited) ? [] : [{ pointer: at, message: `may be lowered from ${asked} towards 0, and not raised` }];
  if (asked === edited) return [];
  return [{ pointer: at, message: 'stays as it was asked: only numbers are lowered, and elements and members left out' }];
};

/**
 * Where an edit asks for more than was asked, or for something else: numbers may only come nearer to zero, lists lose elements, objects lose
 * members, and everything else stays. What it means to the tool nobody can tell from that, so the rules judge the edited request anew.
 */
export const wideningFaults = (asked: JsonObject, edited: JsonObject): Fault[] => ofObjects(asked, edited, '/parameters', 0);
