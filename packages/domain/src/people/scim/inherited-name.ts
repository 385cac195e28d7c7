/** What every object has by birth, however it is written. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()));

/** Whether a name is one that every object has by birth: what is found there is everybody's [prototype pollution]. */
export const isInheritedName = (name: string): boolean => INHERITED.has(name.toLowerCase());

/** Whether members of JSON, at any depth, are named as what every object has by birth, also as a part of a path. */
export const holdsInherited = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsInherited);
  return Object.entries(value).some(([name, member]) => name.split(/[^\w$]+/).some(isInheritedName) || holdsInherited(member));
};
