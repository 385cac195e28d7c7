import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { judgePublicPoint } from './ed25519-point.ts';

const { Point } = ed25519;
const P = 2n ** 255n - 19n;

/** Encodes a y coordinate and a sign bit in 32 bytes, canonical or not. */
const encode = (y: bigint, oddX: boolean): Buffer =>
  Buffer.from((y + (oddX ? 2n ** 255n : 0n)).toString(16).padStart(64, '0'), 'hex').reverse();

/**
 * Returns the eight torsion points, computed here: a random point times the prime order leaves its torsion part, and one of order 8
 * generates the rest.
 */
const torsionPoints = (): Buffer[] => {
  for (let y = 2n; ; y += 1n) {
    let point: InstanceType<typeof Point>;
    try {
      point = Point.fromBytes(encode(y, false));
    } catch {
      continue;
    }
    const torsion = point.multiplyUnsafe(Point.Fn.ORDER - 1n).add(point);
    if (torsion.multiplyUnsafe(4n).is0()) continue;
    return Array.from({ length: 8 }, (_, n) => Buffer.from((n === 0 ? Point.ZERO : torsion.multiplyUnsafe(BigInt(n))).toBytes()));
  }
};

test('computes the eight published torsion points', () => {
  const made = torsionPoints().map((bytes) => bytes.toString('hex'));
  assert.deepEqual(made.sort(), [...ED25519_TORSION_SUBGROUP].sort());
});

test('finds small order for each of the eight torsion points', () => {
  for (const point of torsionPoints()) assert.equal(judgePublicPoint(point), 'small-order', point.toString('hex'));
});

test('rejects the non-canonical encodings of torsion points: y of p or p + 1, and an odd zero', () => {
  const spellings = [
    encode(P, false),
    encode(P, true),
    encode(P + 1n, false),
    encode(P + 1n, true),
    encode(1n, true),
    encode(P - 1n, true),
  ];
  for (const bytes of spellings) assert.equal(judgePublicPoint(bytes), 'not-canonical', bytes.toString('hex'));
});

test('rejects every y from p up to 2^255 - 1 with either sign', () => {
  for (let above = 0n; above < 19n; above += 1n) {
    for (const sign of [false, true]) assert.equal(judgePublicPoint(encode(P + above, sign)), 'not-canonical', `p + ${above}`);
  }
});

test('rejects a key with an added torsion part', () => {
  const torsion = torsionPoints().map((bytes) => Point.fromBytes(bytes));
  const key = Point.fromBytes(ed25519.keygen().publicKey);
  const verdicts = torsion.map((part) => judgePublicPoint(key.add(part).toBytes()));
  assert.equal(verdicts.filter((verdict) => verdict === 'sound').length, 1, 'only the sum with the identity is sound');
  assert.equal(verdicts.filter((verdict) => verdict === 'mixed-order').length, 7);
});

test('accepts every generated key', () => {
  for (let round = 0; round < 10; round += 1) assert.equal(judgePublicPoint(ed25519.keygen().publicKey), 'sound');
});

test('accepts at most one encoding of a point', () => {
  const anyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const verdict = judgePublicPoint(bytes);
      if (verdict.startsWith('not-')) return;
      assert.deepEqual(Point.fromBytes(bytes).toBytes(), bytes);
    }),
    { numRuns: 100 },
  );
});
