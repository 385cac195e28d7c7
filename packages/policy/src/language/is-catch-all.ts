import { isJsonObject } from '../values/check-members.ts';

/** True for a `when` that states nothing, so that its rule matches every request: left out, or an empty object. */
export const isCatchAll = (when: unknown): boolean => when === undefined || (isJsonObject(when) && Object.keys(when).length === 0);
