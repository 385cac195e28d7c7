import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const NONCE_BYTES = 16;
const END_BYTES = 8;
const HEAD_BYTES = NONCE_BYTES + END_BYTES;
const TAG_BYTES = 32;

/** The purpose of a challenge: a ceremony of one kind, and of one session or sign-in challenge if it belongs to one. */
export type Ceremony =
  | { readonly of: 'sign-in' }
  | { readonly of: 'enrolment' | 'step-up'; readonly sessionId: string }
  | { readonly of: 'second factor'; readonly sessionId: string };

const getTag = (key: KeyObject, ceremony: Ceremony, head: Uint8Array): Buffer =>
  createHmac('sha256', key)
    .update(`${ceremony.of}\n${'sessionId' in ceremony ? ceremony.sessionId : ''}\n`)
    .update(head)
    .digest();

/**
 * Returns a WebAuthn challenge that is recognized by its tag (HMAC-SHA-256) and contains its expiry, so that issuing one stores nothing.
 * A used challenge has to be stored by its hash until then, to prevent a replay.
 */
export const newPasskeyChallenge = (key: KeyObject, ceremony: Ceremony, now: Date): Buffer => {
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeBigUInt64BE(BigInt(now.getTime() + LIMITS.secondFactors.passkeyLifetimeSeconds * 1000), NONCE_BYTES);
  return Buffer.concat([head, getTag(key, ceremony, head)]);
};

/** Returns the expiry of a challenge of this ceremony; undefined if it expired or is invalid. */
export const passkeyChallengeEnd = (key: KeyObject, ceremony: Ceremony, challenge: string, now: Date): Date | undefined => {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== HEAD_BYTES + TAG_BYTES || bytes.toString('base64url') !== challenge) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), getTag(key, ceremony, head))) return undefined;
  const end = new Date(Number(head.readBigUInt64BE(NONCE_BYTES)));
  return end.getTime() > now.getTime() ? end : undefined;
};
