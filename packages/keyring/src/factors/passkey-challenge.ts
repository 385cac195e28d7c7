import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';

const NONCE_BYTES = 16;
const END_BYTES = 8;
const HEAD_BYTES = NONCE_BYTES + END_BYTES;
const TAG_BYTES = 32;

/** What a challenge is for: a ceremony of one kind, and of one session, or challenge of a sign-in, where it belongs to one. */
export type Ceremony =
  | { readonly of: 'sign-in' }
  | { readonly of: 'enrolment' | 'step-up'; readonly sessionId: string }
  | { readonly of: 'second factor'; readonly sessionId: string };

const tagOf = (key: KeyObject, ceremony: Ceremony, head: Uint8Array): Buffer =>
  createHmac('sha256', key)
    .update(`${ceremony.of}\n${'sessionId' in ceremony ? ceremony.sessionId : ''}\n`)
    .update(head)
    .digest();

/**
 * A challenge of WebAuthn that is known again by its tag (HMAC-SHA-256) and says when it ends, so that nothing is kept for whoever asks for one.
 * What was met has to be kept by its hash until then, or it could be met again.
 */
export const newPasskeyChallenge = (key: KeyObject, ceremony: Ceremony, now: Date): Buffer => {
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeBigUInt64BE(BigInt(now.getTime() + LIMITS.secondFactors.passkeyLifetimeSeconds * 1000), NONCE_BYTES);
  return Buffer.concat([head, tagOf(key, ceremony, head)]);
};

/** When a challenge of this ceremony ends; undefined for one that has ended or is none. */
export const passkeyChallengeEnd = (key: KeyObject, ceremony: Ceremony, challenge: string, now: Date): Date | undefined => {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== HEAD_BYTES + TAG_BYTES || bytes.toString('base64url') !== challenge) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), tagOf(key, ceremony, head))) return undefined;
  const end = new Date(Number(head.readBigUInt64BE(NONCE_BYTES)));
  return end.getTime() > now.getTime() ? end : undefined;
};
