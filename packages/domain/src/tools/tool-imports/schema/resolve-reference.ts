import { parsePointer, readPointer } from '../../json-pointer.ts';
import { readMemberValue, toLine } from '../draft/reading.ts';

/** The target of a reference, by its pointer in the document. */
export type ResolvedReference = { readonly value: unknown; readonly pointer: string } | { readonly fault: string };
export type Resolve = (reference: string) => ResolvedReference;

const HOPS_MAX = 16;

const decoded = (reference: string): string => {
  try {
    return decodeURIComponent(reference);
  } catch (error) {
    if (error instanceof URIError) return reference;
    throw error;
  }
};

/** Resolves references within one document [JSON Pointer fragments]. External ones are never fetched. */
export const newResolve = (root: unknown): Resolve => {
  const known = new Map<string, ResolvedReference>();
  const follow = (reference: string): ResolvedReference => {
    let pointer = reference;
    for (let hops = 0; hops < HOPS_MAX; hops += 1) {
      if (!pointer.startsWith('#')) return { fault: `refers to ${toLine(pointer, 100)}, which is outside the document and is not fetched` };
      const tokens = parsePointer(decoded(pointer.slice(1)));
      const value = tokens === null ? undefined : readPointer(root, tokens);
      if (value === undefined) return { fault: `refers to ${toLine(pointer, 100)}, which is not in the document` };
      const next = readMemberValue(value, '$ref');
      if (typeof next !== 'string') return { value, pointer };
      pointer = next;
    }
    return { fault: `refers to ${toLine(reference, 100)}, which is a circular reference` };
  };
  return (reference) => {
    const found = known.get(reference) ?? follow(reference);
    known.set(reference, found);
    return found;
  };
};

/** The value itself, or what it refers to. */
export const resolved = (value: unknown, resolve: Resolve): ResolvedReference => {
  const reference = readMemberValue(value, '$ref');
  return typeof reference === 'string' ? resolve(reference) : { value, pointer: '' };
};
