import { isInheritedName } from '@svc/domain/people/scim/inherited-name.ts';

/** Whether members of JSON, at any depth, are named as what every object has by birth, also as a part of a path. */
export const holdsInherited = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsInherited);
  return Object.entries(value).some(([name, member]) => name.split(/[^\w$]+/).some(isInheritedName) || holdsInherited(member));
};
