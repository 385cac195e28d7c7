const CAPABILITY_NAME_CHARS_MAX = 100;

const form = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * Returns true if a text is a valid capability name, for example `refund.create`.
 * The API schemas have the same rule; this one guards other entry points. There is one form only (no capitals, spaces, wildcards or
 * non-ASCII letters), since names are compared byte by byte.
 */
export const isCapabilityName = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= CAPABILITY_NAME_CHARS_MAX && form.test(text);
