import { hash } from 'node:crypto';

/** SHA-256 of a text as hex: tells whether two texts are the same. Not for secrets that can be guessed. */
export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text, 'hex');
