import { hash } from 'node:crypto';

/** SHA-256 of a text in base64url: tells whether two texts are the same without keeping either. Not for secrets that can be guessed. */
export const textDigest = (text: string): string => hash('sha256', text, 'base64url');
