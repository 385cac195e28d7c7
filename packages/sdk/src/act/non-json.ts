const DEPTH_MAX = 100;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
};

const inMembers = (value: object, pointer: string, depth: number): string | undefined => {
  // The entries of a list include its holes, which JSON turns into null.
  const members: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, member] of members) {
    const isLeftOut = member === undefined && !Array.isArray(value);
    const found = isLeftOut ? undefined : findNonJson(member, `${pointer}/${name}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * Returns the pointer to a value that JSON would drop or change, such as a Map, a function or NaN; undefined if there is none. A rule
 * cannot judge what it cannot see.
 */
export const findNonJson = (value: unknown, pointer = '', depth = 0): string | undefined => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : pointer;
  if (typeof value !== 'object' || depth > DEPTH_MAX) return pointer;
  if ('toJSON' in value && typeof value.toJSON === 'function') return findNonJson(value.toJSON(), pointer, depth + 1);
  return Array.isArray(value) || isPlain(value) ? inMembers(value, pointer, depth) : pointer;
};
