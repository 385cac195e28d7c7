import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Fault } from '../../tools/fault.ts';
import { formatPointer, parsePointer } from '../../tools/json-pointer.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true if two values are equal as JSON. */
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

/** Returns true if the shorter list is a subsequence of the longer one. */
const isPartOf = (asked: readonly unknown[], edited: readonly unknown[]): boolean => {
  let from = 0;
  for (const each of edited) {
    while (from < asked.length && !isSame(asked[from], each)) from += 1;
    if (from === asked.length) return false;
    from += 1;
  }
  return true;
};

/** A position in the parameters, and those below it that the tool names. */
type Place = { isOpen: boolean; isAmount: boolean; readonly below: Map<string, Place> };

/** JSON Pointers to the parameters that approvers may reduce, and to the amount, which they may always lower. */
export type Narrowable = { readonly narrowable: readonly string[]; readonly amount_from: string | null };

const newPlace = (): Place => ({ isOpen: false, isAmount: false, below: new Map() });

const placeAt = (root: Place, pointer: string): Place => {
  let place = root;
  for (const token of parsePointer(pointer) ?? []) {
    const next = place.below.get(token) ?? newPlace();
    place.below.set(token, next);
    place = next;
  }
  return place;
};

/** A pointer to all parameters at once, or an invalid one, names nothing. */
const getPlaces = ({ narrowable, amount_from }: Narrowable): Place => {
  const root = newPlace();
  for (const pointer of narrowable) placeAt(root, pointer).isOpen = true;
  if (amount_from !== null) placeAt(root, amount_from).isAmount = true;
  return { ...root, isOpen: false };
};

/** The position of a value: the names and indexes on the way to it. A pointer is built only for reported faults. */
type At = { readonly way: readonly string[]; readonly place: Place | undefined; readonly isOpen: boolean; readonly isElement: boolean };
type Found = { readonly pointer: string; readonly message: string }[];

const tell = (found: Found, { way }: At, message: string): void => {
  found.push({ pointer: formatPointer(['parameters', ...way]), message });
};

const isFull = (found: Found): boolean => found.length >= LIMITS.bodies.faultsMax;

const below = ({ way, place, isOpen }: At, token: string): At => {
  const next = place?.below.get(token);
  return { way: [...way, token], place: next, isOpen: isOpen || next?.isOpen === true, isElement: false };
};

/** An element of a list is removed whole: its position does not show which of its numbers are quantities and which are identifiers. */
const element = ({ way, place }: At, index: number): At => {
  const next = place?.below.get(String(index));
  return { way: [...way, String(index)], place: next, isOpen: next?.isOpen === true, isElement: true };
};

/** Reports a reduction that the tool does not permit. */
const tellClosed = (found: Found, at: At): void => {
  const { way, isElement } = at;
  const remedy = isElement
    ? 'elements can be removed only from a list that the tool declares in narrowable'
    : `approvers can narrow it only if the tool declares ${formatPointer(way)} in narrowable`;
  tell(found, at, `must not be changed: ${remedy}`);
};

const ofLists = (found: Found, asked: readonly unknown[], edited: readonly unknown[], at: At): void => {
  if (isPartOf(asked, edited)) {
    if (edited.length < asked.length && !at.isOpen) tellClosed(found, at);
  } else if (asked.length === edited.length) {
    for (let n = 0; n < asked.length && !isFull(found); n += 1) ofValues(found, asked[n], edited[n], element(at, n));
  } else tell(found, at, 'may only remove elements of the request, and must keep their order');
};

const ofObjects = (found: Found, asked: JsonObject, edited: JsonObject, at: At): void => {
  for (const name of Object.keys(edited)) {
    if (isFull(found)) return;
    if (Object.hasOwn(asked, name)) ofValues(found, asked[name], edited[name], below(at, name));
    else tell(found, below(at, name), 'must not be added');
  }
  for (const name of Object.keys(asked)) {
    if (isFull(found)) return;
    const member = below(at, name);
    if (!Object.hasOwn(edited, name) && !member.isOpen) tellClosed(found, member);
  }
};

const ofNumbers = (found: Found, asked: number, edited: number, at: At): void => {
  if (!isNearer(asked, edited)) tell(found, at, `may be lowered from ${asked} towards 0, but not raised`);
  else if (!at.isOpen && at.place?.isAmount !== true) tellClosed(found, at);
};

const ofValues = (found: Found, asked: unknown, edited: unknown, at: At): void => {
  if (at.way.length >= LIMITS.approvals.editDepthMax) tell(found, at, 'is nested too deeply');
  else if (Array.isArray(asked) && Array.isArray(edited)) ofLists(found, asked, edited, at);
  else if (isObject(asked) && isObject(edited)) ofObjects(found, asked, edited, at);
  else if (asked === edited) return;
  else if (typeof asked === 'number' && typeof edited === 'number') ofNumbers(found, asked, edited, at);
  else tell(found, at, 'must not be changed: only lowering numbers and removing elements or members is allowed');
};

/**
 * Returns the faults of an edit that requests more, or something else, or less of what the tool does not let approvers reduce: otherwise
 * numbers
 * may only move towards zero, lists lose elements, objects lose members, and everything else stays. Its meaning to the tool is unknown, so
 * the
 * rules judge the edited request again. Only the first faults are returned: each contains its whole path, and there can be as many as
 * values.
 */
export const findWideningFaults = (asked: JsonObject, edited: JsonObject, tool: Narrowable): Fault[] => {
  const found: Found = [];
  ofObjects(found, asked, edited, { way: [], place: getPlaces(tool), isOpen: false, isElement: false });
  return found;
};
