/** Members that every object inherits, in any case. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()));

/** Returns true for a name that every object inherits, whose value is shared by all [prototype pollution]. */
export const isInheritedName = (name: string): boolean => INHERITED.has(name.toLowerCase());

/** Returns true if a member at any depth, or a part of its path, has an inherited name. */
export const hasInheritedName = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasInheritedName);
  return Object.entries(value).some(([name, member]) => name.split(/[^\w$]+/).some(isInheritedName) || hasInheritedName(member));
};
