import { createPublicKey, type KeyObject } from 'node:crypto';
import { readBase64 } from '../bytes/canonical-base64.ts';
import { judgePublicPoint, type PublicPointVerdict } from './ed25519-point.ts';
import { computeThumbprint } from './thumbprint.ts';

export type ReadPublicKey =
  | { readonly ok: true; readonly key: KeyObject; readonly spki: string; readonly thumbprint: string }
  | { readonly ok: false; readonly reason: string };

/** The fixed start of every Ed25519 SubjectPublicKeyInfo (RFC 8410); the raw key follows. */
export const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const SPKI_BYTES = SPKI_HEAD.length + 32;

const REASONS = {
  'not-canonical': 'The public key is not in its canonical encoding.',
  'not-on-curve': 'The public key is not a point of the Ed25519 curve.',
  'small-order': 'The public key has small order, so anyone could sign for it.',
  'mixed-order': 'The public key lies outside the prime-order subgroup, so it was not made by an Ed25519 key generator.',
} as const satisfies Record<Exclude<PublicPointVerdict, 'sound'>, string>;

const refused = (reason: string): ReadPublicKey => ({ ok: false, reason });

/**
 * Reads an Ed25519 public key at the boundary of the service: canonical padded base64 of exactly the 44 bytes of its DER SPKI form.
 * Rejects weak keys, since some verifiers accept signatures made without a private key under them: points of small
 * order in every encoding, and points with a torsion part, about whose signatures verifiers disagree. Takes about 1 ms.
 * `reason` is a sentence for the caller and never repeats the input.
 */
export const readPublicKey = (base64Spki: string): ReadPublicKey => {
  const der = base64Spki.length > 200 ? null : readBase64(base64Spki);
  if (der === null) return refused('The public key is not canonical base64.');
  if (der.length !== SPKI_BYTES || !der.subarray(0, SPKI_HEAD.length).equals(SPKI_HEAD)) {
    return refused('The public key is not an Ed25519 key in DER SPKI form (44 bytes).');
  }
  const raw = der.subarray(SPKI_HEAD.length);
  const verdict = judgePublicPoint(raw);
  if (verdict !== 'sound') return refused(REASONS[verdict]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return { ok: true, key, spki: base64Spki, thumbprint: computeThumbprint(raw) };
};
