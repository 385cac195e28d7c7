import type { PathSegment } from './path.ts';

/** Takes one step down. Own members only, and in an array only its elements, so that no key can reach a prototype or `length`. */
export const readMember = (value: unknown, segment: PathSegment): unknown => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return segment.index < 0 ? undefined : value[segment.index];
  return Object.hasOwn(value, segment.key) ? (value as Record<string, unknown>)[segment.key] : undefined;
};

/** Returns the value at a path without `*`, or undefined if the path leads nowhere. */
export const readPath = (root: unknown, segments: readonly PathSegment[]): unknown => {
  let value = root;
  for (const segment of segments) value = readMember(value, segment);
  return value;
};

/** Passes every value that a path leads to, `*` steps included, to `visit`, until it returns true. */
export const visitPath = (value: unknown, segments: readonly PathSegment[], visit: (value: unknown) => boolean, at = 0): boolean => {
  const segment = segments[at];
  if (segment === undefined) return visit(value);
  if (!segment.each) return visitPath(readMember(value, segment), segments, visit, at + 1);
  if (typeof value !== 'object' || value === null) return visit(undefined);
  if (Array.isArray(value)) return value.some((element) => visitPath(element, segments, visit, at + 1));
  for (const member of Object.keys(value)) if (visitPath((value as Record<string, unknown>)[member], segments, visit, at + 1)) return true;
  return false;
};
