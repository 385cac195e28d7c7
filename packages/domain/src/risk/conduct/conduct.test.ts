import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { computeAmountBaseline, learnAmount, newAmounts } from './amounts.ts';
import { computeUnusualBound, countRecent, countSlot, newBaseline } from './baseline.ts';
import { countKnown, GENERATION_MS, isFull, isKnown, learn, newBloom } from './bloom.ts';
import { agentRisk, getAgentRiskParts, newConduct } from './conduct.ts';
import { addDistinct, countDistinct, newRegisters } from './distinct.ts';
import { CONDUCT_BYTES, decodeConduct, encodeConduct } from './encode-conduct.ts';
import type { Mark } from './mark.ts';

/** A generator of marks that are as good as random. */
const newMarks = (seed: number) => {
  let state = seed;
  const word = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state ^ (state >>> 15)) >>> 0;
  };
  return (): Mark => [word(), word()];
};

describe('a Bloom filter', () => {
  test('knows every learned name, and few others', () => {
    const next = newMarks(7);
    const bloom = newBloom(256, 5);
    const learned = Array.from({ length: 200 }, next);
    for (const mark of learned) learn(bloom, mark, 1);
    assert.ok(learned.every((mark) => isKnown(bloom, mark)));
    const others = Array.from({ length: 2_000 }, next).filter((mark) => isKnown(bloom, mark)).length;
    assert.ok(others < 100, String(others));
    assert.ok(Math.abs(countKnown(bloom) - 200) < 25, String(countKnown(bloom)));
  });

  test('forgets a name after two generations without it, and reports when it is full', () => {
    const next = newMarks(3);
    const bloom = newBloom(128, 4);
    const [old, newer, newest] = [next(), next(), next()];
    learn(bloom, old, 1);
    learn(bloom, newer, 1 + GENERATION_MS);
    assert.ok(isKnown(bloom, old));
    learn(bloom, newest, 1 + 2 * GENERATION_MS);
    assert.ok(!isKnown(bloom, old) && isKnown(bloom, newer) && isKnown(bloom, newest));
    for (let count = 0; count < 600; count += 1) learn(bloom, next(), 2 + 2 * GENERATION_MS);
    assert.ok(isFull(bloom));
  });
});

test('is unusual above three times its mean, and learns little from one burst', () => {
  const baseline = newBaseline();
  for (let slot = 1; slot <= 200; slot += 1) countSlot(baseline, slot, () => 40, 20);
  assert.ok(computeUnusualBound(baseline, 20) >= 120);
  countSlot(baseline, 201, () => 100_000, 20);
  countSlot(baseline, 202, () => 1, 20);
  assert.ok(baseline.mean < 41, String(baseline.mean));
  assert.equal(countRecent(baseline, 202), 1);
  assert.equal(countRecent(baseline, 201), 0);
});

test('counts distinct values within the error of 128 registers', () => {
  const next = newMarks(11);
  const registers = newRegisters();
  for (let count = 0; count < 1_000; count += 1) {
    const mark = next();
    addDistinct(registers, mark);
    addDistinct(registers, mark);
  }
  assert.ok(Math.abs(countDistinct(registers) - 1_000) < 300, String(countDistinct(registers)));
});

test('bounds amounts by the 99th percentile, which one large amount does not move', () => {
  const amounts = newAmounts();
  for (let count = 0; count < 300; count += 1) learnAmount(amounts, 1_000 + (count % 100));
  const { q99 } = computeAmountBaseline(amounts);
  assert.ok(q99 >= 1_000 && q99 < 1_600, String(q99));
  learnAmount(amounts, 1e9);
  assert.equal(computeAmountBaseline(amounts).q99, q99);
});

test('decodes an encoded history, whose size is constant', () => {
  const next = newMarks(5);
  const conduct = newConduct();
  assert.deepEqual(decodeConduct(encodeConduct(conduct)), conduct);
  conduct.permitted = 70_000;
  conduct.firstAt = 1_750_000_000_123;
  learn(conduct.tools, next(), 1_750_000_000_123);
  conduct.networks = [next(), next()];
  learnAmount(conduct.amounts, 500);
  conduct.toolAmounts.push({ mark: next(), uses: 3, amounts: newAmounts() });
  countSlot(conduct.calls, 5_000_000, () => 12, 20);
  addDistinct(conduct.registers, next());
  conduct.hours[3] = 0.5;
  conduct.refusedInRow = 6;
  conduct.refusedNames = [{ word: 9, at: 1_750_000_000 }];
  conduct.habits.new_destination = 0.5;
  Object.assign(conduct.families[2] as object, { points: 40, at: 1_750_000_000 });
  Object.assign(conduct, { armed: false, toldRisk: 71, toldAt: 1_750_000_000, lowSince: 1_750_000_001 });
  const bytes = encodeConduct(conduct);
  assert.equal(bytes.length, CONDUCT_BYTES);
  assert.deepEqual(decodeConduct(bytes), conduct);
  assert.equal(decodeConduct(bytes.subarray(1)), undefined);
  assert.equal(decodeConduct(Uint8Array.from(bytes, (byte, at) => (at === 0 ? 9 : byte))), undefined);
});

test('adds up the parts of the families to the risk of the agent at any time', () => {
  const conduct = newConduct();
  for (const [index, points] of [25, 15, 40].entries()) Object.assign(conduct.families[index] ?? {}, { points, at: 1_000 + index * 700 });
  for (let seconds = 2_400; seconds < 20_000; seconds += 371) {
    const parts = getAgentRiskParts(conduct, seconds * 1_000);
    assert.equal(
      parts.reduce((sum, each) => sum + each, 0),
      agentRisk(conduct, seconds * 1_000),
    );
    assert.ok(parts.every((part) => part >= 0 && part <= 40));
  }
});
