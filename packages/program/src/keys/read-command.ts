const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string') && value[0] !== '';

/** The words of a command: a JSON array of texts, or words with blanks between. Undefined for what is neither. No shell reads them. */
export const readCommand = (text: string): readonly string[] | undefined => {
  if (!text.trim().startsWith('[')) {
    const words = text.trim().split(/\s+/);
    // Whoever quotes means a shell, or an array.
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
