/** A new guard call that replaces the one with the key. */
export type CodeEdit = { readonly key: string; readonly replacement: string };

const ANSWER_CHARACTERS_MAX = 262_144;
const REPLACEMENT_CHARACTERS_MAX = 8_192;

const isEdit = (value: unknown): value is CodeEdit => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { key, replacement, ...others } = value as Record<string, unknown>;
  return typeof key === 'string' && typeof replacement === 'string' && Object.keys(others).length === 0;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Reads the answer of a model: `{"edits": [{"key", "replacement"}]}` and nothing else, with at most one edit for each requested key. */
export const readEdits = (text: string, keys: readonly string[]): readonly CodeEdit[] | { readonly fault: string } => {
  if (text.length > ANSWER_CHARACTERS_MAX) return { fault: 'The answer of the model is too long.' };
  const answer = parse(text);
  const { edits, ...others } = (typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {}) as Record<
    string,
    unknown
  >;
  if (!Array.isArray(edits) || Object.keys(others).length > 0 || !edits.every(isEdit))
    return { fault: 'The answer of the model is not of the required form.' };
  const named = edits.map(({ key }) => key);
  if (named.some((key) => !keys.includes(key))) return { fault: 'The model changed a call that was not requested.' };
  if (new Set(named).size !== named.length) return { fault: 'The model changed a call twice.' };
  if (edits.length === 0) return { fault: 'The model proposed no change.' };
  return edits.some(({ replacement }) => replacement.length > REPLACEMENT_CHARACTERS_MAX) ? { fault: 'A new call is too long.' } : edits;
};
