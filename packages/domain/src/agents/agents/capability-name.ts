const CAPABILITY_NAME_CHARS_MAX = 100;

const form = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * Whether a text may name a capability, for example `refund.create`.
 * The schemas of the wire hold the same rule; this one guards what arrives by another way. There is one spelling only (no capitals, spaces, wildcards or letters outside ASCII), since names are compared as they are.
 */
export const isCapabilityName = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= CAPABILITY_NAME_CHARS_MAX && form.test(text);
