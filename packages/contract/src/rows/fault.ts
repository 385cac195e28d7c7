/** A fault at one position: a JSON Pointer (RFC 6901) to it, and a sentence, or the end of one, that states what would be valid. */
export type Fault = { readonly pointer: string; readonly message: string };

/** Escapes a member's name as a reference token of a JSON Pointer. */
export const escapePointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
