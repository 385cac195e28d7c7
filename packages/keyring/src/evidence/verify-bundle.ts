import { bundleFromJSON } from '@sigstore/bundle';
import { type SignedEntity, type TrustMaterial, toSignedEntity, Verifier } from '@sigstore/verify';
import { preAuthEncoding } from './verify-envelope.ts';

export type VerifiedBundle = {
  /** Identity in the certificate. The caller must compare it; otherwise any user of the signing service passes. */
  readonly identity: { readonly issuer: string; readonly subject: string };
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signed: Buffer;
  readonly logIndex: string | null;
  /** Earliest time that the log or a time stamp proves, in milliseconds. */
  readonly signedAt: number | null;
};

type Read = VerifiedBundle | { readonly fault: string };

const errorCode = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? ` (${code})` : '';
};

/** Returns the earliest of the verified times. */
const earliest = (timestamps: SignedEntity['timestamps']): number | null => {
  const times = timestamps.map((stamp) =>
    stamp.$case === 'transparency-log' ? Number(stamp.tlogEntry.integratedTime) * 1_000 : stamp.timestamp.signingTime.getTime(),
  );
  return times.length === 0 ? null : Math.min(...times);
};

/**
 * Verifies a bundle of a signing service offline: certificate chain, log entry, time and signature. Takes about 25 ms. No policy is given
 * to the
 * library, whose comparison of identities is a pattern match.
 */
export const verifyBundle = (json: unknown, root: TrustMaterial, signaturesMax: number): Read => {
  try {
    const bundle = bundleFromJSON(json);
    const { content, verificationMaterial } = bundle;
    if (content.$case !== 'dsseEnvelope') return { fault: 'The bundle must contain a statement (DSSE envelope).' };
    if (verificationMaterial.content.$case === 'publicKey') return { fault: 'The bundle must contain a certificate.' };
    const { dsseEnvelope } = content;
    const { tlogEntries } = verificationMaterial;
    const stamps = verificationMaterial.timestampVerificationData?.rfc3161Timestamps ?? [];
    if (dsseEnvelope.signatures.length !== 1) return { fault: 'The bundle must have one signature.' };
    if (tlogEntries.length > signaturesMax || stamps.length > signaturesMax) return { fault: 'The bundle has too many log entries.' };
    const entity = toSignedEntity(bundle);
    const { identity } = new Verifier(root).verify(entity);
    const issuer = identity?.extensions?.issuer;
    const subject = identity?.subjectAlternativeName;
    if (!issuer || !subject) return { fault: 'The certificate states no identity.' };
    return {
      identity: { issuer, subject },
      payloadType: dsseEnvelope.payloadType,
      payload: dsseEnvelope.payload,
      signed: preAuthEncoding(dsseEnvelope.payloadType, dsseEnvelope.payload),
      logIndex: tlogEntries[0]?.logIndex ?? null,
      signedAt: earliest(entity.timestamps),
    };
  } catch (error) {
    return { fault: `The bundle could not be verified${errorCode(error)}.` };
  }
};
