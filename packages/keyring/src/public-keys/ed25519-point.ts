/**
 * Arithmetic of the curve edwards25519 (RFC 8032, section 5.1), used only to judge public keys when they enter.
 * Nothing here is secret, so nothing here is constant-time.
 */
type Point = { readonly x: bigint; readonly y: bigint; readonly z: bigint; readonly t: bigint };

export type PublicPointVerdict = 'sound' | 'not-canonical' | 'not-on-curve' | 'small-order' | 'mixed-order';

const P = 2n ** 255n - 19n;
/** The order of the base point: a prime. The whole group has eight times as many points. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const mod = (value: bigint): bigint => {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
};

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  let square = mod(base);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
};

const invert = (value: bigint): bigint => power(value, P - 2n);
const D = mod(-121665n * invert(121666n));
const SQRT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);
const IDENTITY: Point = { x: 0n, y: 1n, z: 1n, t: 0n };

/** Complete addition: right for every pair of points, doubling and the identity included. */
const add = (p: Point, q: Point): Point => {
  const a = mod((p.y - p.x) * (q.y - q.x));
  const b = mod((p.y + p.x) * (q.y + q.x));
  const c = mod(2n * D * p.t * q.t);
  const d = mod(2n * p.z * q.z);
  return { x: mod((b - a) * (d - c)), y: mod((d + c) * (b + a)), z: mod((d - c) * (d + c)), t: mod((b - a) * (b + a)) };
};

const multiply = (scalar: bigint, point: Point): Point => {
  let result = IDENTITY;
  let doubled = point;
  for (let left = scalar; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = add(result, doubled);
    doubled = add(doubled, doubled);
  }
  return result;
};

const isIdentity = (point: Point): boolean => point.x === 0n && point.y === point.z;

const littleEndian = (bytes: Uint8Array): bigint => bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);

/** The square root of a field element, or null when it has none. */
const squareRoot = (square: bigint): bigint | null => {
  const candidate = power(square, (P + 3n) / 8n);
  for (const root of [candidate, mod(candidate * SQRT_OF_MINUS_ONE)]) if (mod(root * root) === square) return root;
  return null;
};

const decode = (encoded: Uint8Array): Point | 'not-canonical' | 'not-on-curve' => {
  const all = littleEndian(encoded);
  const oddX = all >> 255n === 1n;
  const y = all & (2n ** 255n - 1n);
  if (y >= P) return 'not-canonical';
  const root = squareRoot(mod((y * y - 1n) * invert(D * y * y + 1n)));
  if (root === null) return 'not-on-curve';
  // Zero has no odd twin: the sign bit on it is a second spelling of the same point.
  if (root === 0n && oddX) return 'not-canonical';
  const x = ((root & 1n) === 1n) === oddX ? root : mod(-root);
  return { x, y, z: 1n, t: mod(x * y) };
};

/**
 * Judges the 32 bytes of an Ed25519 public key.
 * `small-order`: one of the eight torsion points, under which a signature can be made without any private key.
 * `mixed-order`: a point with a torsion part, which no key generation makes and on whose signatures verifiers disagree.
 */
export const judgePublicPoint = (encoded: Uint8Array): PublicPointVerdict => {
  const point = decode(encoded);
  if (typeof point === 'string') return point;
  if (isIdentity(multiply(8n, point))) return 'small-order';
  return isIdentity(multiply(L, point)) ? 'sound' : 'mixed-order';
};
