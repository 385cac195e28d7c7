import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text in base64url, to compare texts without storing them. Not for secrets that can be guessed. */
export const textDigest = (text: string): string => hash('sha256', text, 'base64url');
