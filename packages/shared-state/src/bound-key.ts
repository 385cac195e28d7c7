/** Longer than any key made of a service's own names, an identifier and an address. */
const KEY_CHARS_MAX = 256;

/**
 * What a key is counted under. A longer key can only be made of what a caller sent, and shares the count of all that begin alike,
 * so that long keys fill no memory. The copy lets go of the text it was cut from.
 */
export const boundKey = (key: string): string => (key.length <= KEY_CHARS_MAX ? key : Buffer.from(key.slice(0, KEY_CHARS_MAX)).toString());
