import { isJsonObject } from '../values/check-members.ts';
import { below } from '../values/faults.ts';

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

const isSame = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((value, index) => isSame(value, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
};

const patchObject = (
  patch: PatchOperation[],
  path: string,
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
) => {
  for (const key of Object.keys(from)) {
    const at = below(path, key);
    if (Object.hasOwn(to, key)) patchValue(patch, at, from[key], to[key]);
    else patch.push({ op: 'remove', path: at });
  }
  for (const key of Object.keys(to)) if (!Object.hasOwn(from, key)) patch.push({ op: 'add', path: below(path, key), value: to[key] });
};

/**
 * Leaves the equal beginning and end unchanged and changes the part between in place: one comparison per element, however long the lists.
 */
const patchList = (patch: PatchOperation[], path: string, from: readonly unknown[], to: readonly unknown[]): void => {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && isSame(from[start], to[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(from[from.length - 1 - end], to[to.length - 1 - end])) end += 1;
  for (let index = start; index < shorter - end; index += 1) patchValue(patch, below(path, index), from[index], to[index]);
  for (let index = from.length - end - 1; index >= shorter - end; index -= 1) patch.push({ op: 'remove', path: below(path, index) });
  for (let index = shorter - end; index < to.length - end; index += 1)
    patch.push({ op: 'add', path: below(path, index), value: to[index] });
};

const patchValue = (patch: PatchOperation[], path: string, from: unknown, to: unknown): void => {
  if (isSame(from, to)) return;
  if (Array.isArray(from) && Array.isArray(to)) patchList(patch, path, from, to);
  else if (isJsonObject(from) && isJsonObject(to)) patchObject(patch, path, from, to);
  else patch.push({ op: 'replace', path, value: to });
};

/**
 * Returns the operations that turn `from` into `to`, both JSON; empty if they are equivalent.
 * A minimal edit script over lists would cost the product of their lengths, and a condition may contain a thousand values.
 */
export const jsonPatch = (from: unknown, to: unknown): PatchOperation[] => {
  const patch: PatchOperation[] = [];
  patchValue(patch, '', from, to);
  return patch;
};
