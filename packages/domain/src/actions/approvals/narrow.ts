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

/** Where a value stands: the names and places on the way to it. A pointer is written for what is told alone. */
type Way = readonly string[];
type Found = { readonly pointer: string; readonly message: string }[];

const tell = (found: Found, way: Way, message: string): void => {
  found.push({ pointer: ['', ...way.map(pointerToken)].join('/'), message });
};

const isFull = (found: Found): boolean => found.length >= LIMITS.bodies.faultsMax;

const ofLists = (found: Found, asked: readonly unknown[], edited: readonly unknown[], way: Way): void => {
  if (asked.length === edited.length) {
    for (let n = 0; n < asked.length && !isFull(found); n += 1) ofValues(found, asked[n], edited[n], [...way, String(n)]);
  } else if (edited.length > asked.length || !isPartOf(asked, edited))
    tell(found, way, 'may leave elements out, in their order, and hold none that was not asked');
};

const ofObjects = (found: Found, asked: JsonObject, edited: JsonObject, way: Way): void => {
  for (const name of Object.keys(edited)) {
    if (isFull(found)) return;
    if (Object.hasOwn(asked, name)) ofValues(found, asked[name], edited[name], [...way, name]);
    else tell(found, [...way, name], 'was not asked');
  }
};

const ofValues = (found: Found, asked: unknown, edited: unknown, way: Way): void => {
  if (way.length > LIMITS.approvals.editDepthMax) tell(found, way, 'is nested too deeply to be compared');
  else if (Array.isArray(asked) && Array.isArray(edited)) ofLists(found, asked, edited, way);
  else if (isObject(asked) && isObject(edited)) ofObjects(found, asked, edited, way);
  else if (typeof asked === 'number' && typeof edited === 'number') {
    if (!isNearer(asked, edited)) tell(found, way, `may be lowered from ${asked} towards 0, and not raised`);
  } else if (asked !== edited) tell(found, way, 'stays as it was asked: only numbers are lowered, and elements and members left out');
};

/**
 * Where an edit asks for more than was asked, or for something else: numbers may only come nearer to zero, lists lose elements, objects lose
 * members, and everything else stays. What it means to the tool nobody can tell from that, so the rules judge the edited request anew.
 * Told are the first of them: each names its whole way, and of those there may be as many as there are values.
 */
export const wideningFaults = (asked: JsonObject, edited: JsonObject): Fault[] => {
  const found: Found = [];
  ofObjects(found, asked, edited, ['parameters']);
  return found;
};
