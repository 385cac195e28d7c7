import type { Segment } from './path.ts';

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
