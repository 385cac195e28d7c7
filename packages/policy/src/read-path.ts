import { ANY_DEPTH, type Segment } from './path.ts';

/** One step down. Own members only, and in an array only its elements, so that no key can reach a prototype or `length`. */
export const readMember = (value: unknown, segment: Segment): unknown => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return segment.index < 0 ? undefined : value[segment.index];
  return Object.hasOwn(value, segment.key) ? (value as Record<string, unknown>)[segment.key] : undefined;
};

/** The value at a path without `*`, or undefined when the path leads nowhere. */
export const readPath = (root: unknown, segments: readonly Segment[]): unknown => {
  let value = root;
  for (const segment of segments) value = readMember(value, segment);
  return value;
};

type Visit = (value: unknown, key: string | null) => boolean;

/** Hands every value that is no list and no object to `visit`, with the object keys on the way to it (dotted), until it answers true. */
const visitLeaves = (value: unknown, visit: Visit, key: string | null): boolean => {
  if (typeof value !== 'object' || value === null) return visit(value, key);
  if (Array.isArray(value)) return value.some((element) => visitLeaves(element, visit, key));
  for (const member of Object.keys(value)) {
    const below = key === null ? member : `${key}.${member}`;
    if (visitLeaves((value as Record<string, unknown>)[member], visit, below)) return true;
  }
  return false;
};

/** Hands every value a path with `*` leads to, and the object keys its `*` steps took (dotted), to `visit`, until it answers true. */
export const visitPath = (value: unknown, segments: readonly Segment[], visit: Visit, at = 0, key: string | null = null): boolean => {
  const segment = segments[at];
  if (segment === undefined) return visit(value, key);
  if (!segment.each) return visitPath(readMember(value, segment), segments, visit, at + 1, key);
  if (typeof value !== 'object' || value === null) return visit(undefined, key);
  if (segment.key === ANY_DEPTH) return visitLeaves(value, visit, key);
  if (Array.isArray(value)) return value.some((element) => visitPath(element, segments, visit, at + 1, key));
  for (const member of Object.keys(value)) {
    if (visitPath((value as Record<string, unknown>)[member], segments, visit, at + 1, key === null ? member : `${key}.${member}`))
      return true;
  }
  return false;
};
