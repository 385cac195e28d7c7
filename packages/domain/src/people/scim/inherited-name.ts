/** What every object has by birth, however it is written. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()));

/** Whether a name is one that every object has by birth: what is found there is everybody's [prototype pollution]. */
export const isInheritedName = (name: string): boolean => INHERITED.has(name.toLowerCase());
