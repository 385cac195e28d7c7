import { isJsonObject } from '../values/check-members.ts';

/** Returns true for an absent or empty `when`, so that its rule matches every request. */
export const isCatchAll = (when: unknown): boolean => when === undefined || (isJsonObject(when) && Object.keys(when).length === 0);
