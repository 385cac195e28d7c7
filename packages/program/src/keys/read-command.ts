const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string') && value[0] !== '';

/**
 * Returns the words of a command: a JSON array of strings, or words separated by blanks. Undefined for anything else. No shell is involved.
 */
export const readCommand = (text: string): readonly string[] | undefined => {
  if (!text.trim().startsWith('[')) {
    const words = text.trim().split(/\s+/);
    // Quotes indicate a shell command, or an array.
    return words[0] === '' || /["'\\$`|;<>&]/.test(text) ? undefined : words;
  }
  try {
    const words: unknown = JSON.parse(text);
    return isWords(words) ? words : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
