import { ed25519 } from '@noble/curves/ed25519.js';

export type PublicPointVerdict = 'sound' | 'not-canonical' | 'not-on-curve' | 'small-order' | 'mixed-order';

const { Point } = ed25519;

/** Undefined for bytes that are no point of the curve; unless `loose`, for a second spelling of one too (RFC 8032, section 5.1.3). */
const decode = (encoded: Uint8Array, loose: boolean): InstanceType<typeof Point> | undefined => {
  try {
    return Point.fromBytes(encoded, loose);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
};

/** Whether the y coordinate is a number below the field's prime; the top bit is the sign of x. */
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
