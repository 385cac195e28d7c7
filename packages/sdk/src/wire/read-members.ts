export type WireMembers = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is WireMembers => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** True if a value is in a list of words. A future word is not, and the caller must not act on it. */
export const includesWord = <const W extends readonly string[]>(words: W, value: unknown): value is W[number] =>
  typeof value === 'string' && words.includes(value);
