import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import fc from 'fast-check';
import { judgePublicPoint } from './ed25519-point.ts';

const { Point } = ed25519;
const P = 2n ** 255n - 19n;

/** The 32 bytes of a y coordinate and a sign bit, whether or not they are canonical. */
const encode = (y: bigint, oddX: boolean): Buffer =>
  Buffer.from((y + (oddX ? 2n ** 255n : 0n)).toString(16).padStart(64, '0'), 'hex').reverse();

/** The eight torsion points, made here: a random point times the prime order leaves its torsion part, and one of order 8 makes the rest. */
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

test('the torsion points made here are the eight that are published', () => {
  const made = torsionPoints().map((bytes) => bytes.toString('hex'));
  assert.deepEqual(made.sort(), [...ED25519_TORSION_SUBGROUP].sort());
});

test('each of the eight torsion points has small order', () => {
  for (const point of torsionPoints()) assert.equal(judgePublicPoint(point), 'small-order', point.toString('hex'));
});

test('the second spellings of torsion points are refused: y of p or p + 1, and an odd zero', () => {
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

test('every y from p up to 2^255 - 1 is refused with either sign', () => {
  for (let above = 0n; above < 19n; above += 1n) {
    for (const sign of [false, true]) assert.equal(judgePublicPoint(encode(P + above, sign)), 'not-canonical', `p + ${above}`);
  }
});

test('a key with a torsion part added to it is refused', () => {
  const torsion = torsionPoints().map((bytes) => Point.fromBytes(bytes));
  const key = Point.fromBytes(ed25519.keygen().publicKey);
  const verdicts = torsion.map((part) => judgePublicPoint(key.add(part).toBytes()));
  assert.equal(verdicts.filter((verdict) => verdict === 'sound').length, 1, 'only the sum with the identity is sound');
  assert.equal(verdicts.filter((verdict) => verdict === 'mixed-order').length, 7);
});

test('every generated key is sound', () => {
  for (let round = 0; round < 10; round += 1) assert.equal(judgePublicPoint(ed25519.keygen().publicKey), 'sound');
});

test('of any 32 bytes a point is told by its spelling: one and the same point is never sound in two', () => {
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
