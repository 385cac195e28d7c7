import { constants, type KeyObject, verify } from 'node:crypto';
import { readBase64 } from '../bytes/canonical-base64.ts';
import type { ProviderAlgorithm, ProviderKey } from './provider-key.ts';
import type { VerifiedSignature } from './verify-token.ts';

export type Envelope = {
  readonly payloadType: string;
  /** Base64. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid?: string | undefined; readonly sig: string }[];
};

/** Returns the bytes that a signature of an envelope covers [DSSE pre-authentication encoding]. The type is part of them. */
export const preAuthEncoding = (payloadType: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `), payload]);

const HASHES: Readonly<Record<ProviderAlgorithm, string | null>> = {
  EdDSA: null,
  ES256: 'sha256',
  ES384: 'sha384',
  RS256: 'sha256',
  PS256: 'sha256',
};

const isGenuine = (signed: Buffer, { alg, key }: ProviderKey, signature: Buffer): boolean => {
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const used: KeyObject | typeof pss = alg === 'PS256' ? pss : key;
  return verify(HASHES[alg], signed, used, signature);
};

/** Verifies a DSSE envelope with the keys of a provider. One signature must be by one of them; `keyid` is a hint and has no influence. */
export const verifyEnvelope = (
  { payloadType, payload, signatures }: Envelope,
  keys: readonly ProviderKey[],
): VerifiedSignature | { readonly fault: string } => {
  const bytes = readBase64(payload);
  if (bytes === null) return { fault: 'The payload of the envelope is not base64.' };
  const signed = preAuthEncoding(payloadType, bytes);
  for (const { sig } of signatures) {
    const signature = readBase64(sig);
    const key = signature && keys.find((each) => isGenuine(signed, each, signature));
    if (key) return { kid: key.kid, payload: bytes, signed };
  }
  return { fault: 'No signature is by a key of the provider.' };
};
