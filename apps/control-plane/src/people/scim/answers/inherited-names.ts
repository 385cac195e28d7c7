/** What every object has by birth, however it is written. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()));

const isInherited = (name: string): boolean => INHERITED.has(name.toLowerCase());

/**
 * Whether an expression names an attribute that every object has by birth. The library follows such names and writes to what it finds there,
 * which is everybody's [prototype pollution]; so none gets as far as it.
 */
export const namesInherited = (expression: string): boolean =>
  expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .split(/[^\w$]+/)
    .some(isInherited);

/** The same of members of JSON, and of the paths in it. */
export const holdsInherited = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsInherited);
  return Object.entries(value).some(
    ([name, member]) =>
      name.split(/[^\w$]+/).some(isInherited) ||
      (name === 'path' && typeof member === 'string' && namesInherited(member)) ||
      holdsInherited(member),
  );
};
