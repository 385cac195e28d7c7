import { timingSafeEqual } from 'node:crypto';

/** Compares two byte strings in a time that depends on their length alone. */
export const constantTimeEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);
