import { hash } from 'node:crypto';
import type { RecordDocument } from '@svc/domain/events/audit-log/record-document.ts';
import { canonicalJson } from '@svc/domain/events/canonical-json.ts';
import { randomHex } from '../bytes/random-hex.ts';

const SALT_BYTES = 16;

/** Returns a salt for the digests of one record, in hex. */
export const newDigestSalt = (): string => randomHex(SALT_BYTES);

/** Returns the SHA-256 of a document as RFC 8785 canonical JSON, in hex. */
export const recordDigest = (document: RecordDocument): string => hash('sha256', canonicalJson(document), 'hex');
