/**
 * Reads positions in a JSON text, so that a part of it can be kept exactly as it was sent. All functions take text that `JSON.parse` accepts,
 * take time linear in its length and call themselves for nothing, so that no depth of nesting exhausts the stack.
 */
import { formatPointer } from '@svc/domain/tools/json-pointer.ts';

/** A value within a JSON text. `name` is the member name; undefined for an element of an array. */
export type JsonSlice = { readonly name?: string; readonly start: number; readonly end: number };

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
};

/** Returns the position behind a string that begins at `from`. */
const skipString = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
};

const ENDS_SCALAR = new Set([',', ']', '}', ' ', '\n', '\r', '\t']);

const skipScalar = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && !ENDS_SCALAR.has(text.charAt(at))) at += 1;
  return at;
};

/** Returns the position behind the value that begins at `from`. */
const skipValue = (text: string, from: number): number => {
  let depth = 0;
  let at = from;
  do {
    const character = text.charAt(at);
    if (character === '"') at = skipString(text, at);
    else if (character === '{' || character === '[') {
      depth += 1;
      at += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      at += 1;
    } else if (depth === 0) at = skipScalar(text, at);
    else at += 1;
  } while (depth > 0 && at < text.length);
  return at;
};

const nameAt = (text: string, start: number, end: number): string => String(JSON.parse(text.slice(start, end)));

/** Returns the members or elements of the object or array that begins at `from`; empty for any other value. */
export const childSlices = (text: string, from = 0): readonly JsonSlice[] => {
  const slices: JsonSlice[] = [];
  let at = skipSpace(text, from);
  const opening = text.charAt(at);
  if (opening !== '{' && opening !== '[') return slices;
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charAt(at) !== '}' && text.charAt(at) !== ']') {
    let name: string | undefined;
    if (opening === '{') {
      const nameEnd = skipString(text, at);
      name = nameAt(text, at, nameEnd);
      at = skipSpace(text, skipSpace(text, nameEnd) + 1);
    }
    const end = skipValue(text, at);
    slices.push(name === undefined ? { start: at, end } : { name, start: at, end });
    at = skipSpace(text, end);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return slices;
};

/** Returns the value that the member names lead to, from the outside in. The last of repeated members counts, as in `JSON.parse`. */
export const findSlice = (text: string, names: readonly string[]): JsonSlice | undefined => {
  let found: JsonSlice | undefined = { start: 0, end: text.length };
  for (const name of names) {
    if (found === undefined) return undefined;
    found = childSlices(text, found.start).findLast((slice) => slice.name === name);
  }
  return found;
};

/** An object or array that has begun: the names seen in it, and the one whose value is being read. */
type OpenValue = { readonly names: Set<string> | undefined; at: string };

const pointerTo = (open: readonly OpenValue[]): string => formatPointer(open.map(({ at }) => at));

/**
 * Returns the first place where readers of the same JSON text see different values: a member that is there twice, of which some readers take the
 * first, or a number beyond the range of a double.
 */
export const findAmbiguity = (text: string): { readonly fault: string; readonly pointer: string } | undefined => {
  const open: OpenValue[] = [];
  let isName = false;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    const last = open.at(-1);
    if (character === '"') {
      const end = skipString(text, at);
      if (isName && last?.names !== undefined) {
        last.at = nameAt(text, at, end);
        if (last.names.has(last.at)) return { fault: 'must not be there twice', pointer: pointerTo(open) };
        last.names.add(last.at);
        isName = false;
      }
      at = end;
      continue;
    }
    if (character === '{' || character === '[') {
      open.push({ names: character === '{' ? new Set() : undefined, at: '0' });
      isName = character === '{';
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && last !== undefined) {
      isName = last.names !== undefined;
      if (last.names === undefined) last.at = String(Number(last.at) + 1);
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const end = skipScalar(text, at);
      if (!Number.isFinite(Number(text.slice(at, end))))
        return { fault: 'must be a number that a double can hold', pointer: pointerTo(open) };
      at = end;
      continue;
    }
    at += 1;
  }
  return undefined;
};
