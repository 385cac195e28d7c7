import { hash } from 'node:crypto';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';

/** Returns the SHA-256 of a text in hex. */
export const digestText = (text: string): string => hash('sha256', text, 'hex');

/** Returns the SHA-256 of bytes in hex. */
export const digestBytes = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** Returns the SHA-256 of a JSON value in its canonical form (RFC 8785), in hex. */
export const digestJson = (value: unknown): string => digestText(canonicalJson(value));
