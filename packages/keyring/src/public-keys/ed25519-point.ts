import { ed25519 } from '@noble/curves/ed25519.js';

export type PublicPointVerdict = 'sound' | 'not-canonical' | 'not-on-curve' | 'small-order' | 'mixed-order';

const { Point } = ed25519;

/** Decodes a point; undefined for bytes that are not on the curve, or, unless `loose`, not canonical (RFC 8032, section 5.1.3). */
const decode = (encoded: Uint8Array, loose: boolean): InstanceType<typeof Point> | undefined => {
  try {
    return Point.fromBytes(encoded, loose);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
};

/** Returns true if the y coordinate is below the field's prime; the top bit is the sign of x. */
const hasCanonicalY = (encoded: Uint8Array): boolean =>
  BigInt.asUintN(255, BigInt(`0x${Buffer.from(encoded).reverse().toString('hex')}`)) < Point.Fp.ORDER;

/**
 * Judges the 32 bytes of an Ed25519 public key.
 * `small-order`: one of the eight torsion points, under which a signature can be made without any private key.
 * `mixed-order`: a point with a torsion part, which no key generation makes and on whose signatures verifiers disagree.
 */
export const judgePublicPoint = (encoded: Uint8Array): PublicPointVerdict => {
  const point = decode(encoded, false);
  if (point === undefined) return hasCanonicalY(encoded) && decode(encoded, true) === undefined ? 'not-on-curve' : 'not-canonical';
  if (point.isSmallOrder()) return 'small-order';
  return point.isTorsionFree() ? 'sound' : 'mixed-order';
};
