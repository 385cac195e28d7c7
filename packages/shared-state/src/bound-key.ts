/** Longer than any key made of the service's own names, an identifier and an address. */
const KEY_CHARS_MAX = 256;

/**
 * Returns the text under which a key is counted. Only a caller's input can make a longer key; it shares one count with all keys of the same
 * prefix, so that long keys do not fill memory. The copy releases the text that it was cut from.
 */
export const boundKey = (key: string): string => (key.length <= KEY_CHARS_MAX ? key : Buffer.from(key.slice(0, KEY_CHARS_MAX)).toString());
