import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text in hex. Not for secrets that can be guessed. */
export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text, 'hex');
