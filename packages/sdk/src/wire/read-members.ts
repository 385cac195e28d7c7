export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Whether a value is one of a list of words. A word to come is none of them, and whoever asks must not act on it. */
export const isOneOf = <const W extends readonly string[]>(words: W, value: unknown): value is W[number] =>
  typeof value === 'string' && words.includes(value);
