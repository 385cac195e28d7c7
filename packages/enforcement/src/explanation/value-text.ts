/** What JSON writes as it stands, between quotes. */
const PLAIN = /^[\w .,:;@/+*()#=-]*$/;
/** A longer text is rarely plain, and JSON.stringify as fast. */
const PLAIN_CHARS_MAX = 64;

/** A value as JSON: like `JSON.stringify`, in a third of its time for what conditions mostly meet. */
export const valueText = (value: unknown): string => {
  if (typeof value === 'string' && value.length <= PLAIN_CHARS_MAX && PLAIN.test(value)) return `"${value}"`;
  return Number.isSafeInteger(value) ? `${value}` : JSON.stringify(value);
};
