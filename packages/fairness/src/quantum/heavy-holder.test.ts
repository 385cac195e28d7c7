import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newHeavyHolder } from './heavy-holder.ts';

const holderAfter = (tookMs: number, runs: Readonly<Record<string, number>>, isShared = true) => {
  const heavy = newHeavyHolder(() => tookMs);
  for (const [holder, count] of Object.entries(runs)) for (let n = 0; n < count; n += 1) heavy.note(holder);
  heavy.endTurn(isShared, 1_000);
  return heavy;
};

test('throttles only the holder with most of a long tick, for twice as long as it took', () => {
  const heavy = holderAfter(10, { much: 20, less: 6, small: 1 });
  assert.deepEqual(
    ['much', 'less', 'small', 'unknown'].map((holder) => heavy.mayGo(holder, 1_019)),
    [false, true, true, true],
  );
  assert.equal(heavy.restsUntil(1_019), 1_020);
  assert.ok(heavy.mayGo('much', 1_020));
  assert.equal(heavy.restsUntil(1_020), Number.POSITIVE_INFINITY);
});

test('throttles no one while the loop is idle, no other holder is active, or all holders have equal work', () => {
  assert.ok(holderAfter(2, { much: 20, small: 1 }).mayGo('much', 1_000));
  assert.ok(holderAfter(10, { much: 20 }, false).mayGo('much', 1_000));
  assert.ok(holderAfter(10, { one: 3, two: 1 }).mayGo('one', 1_000));
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`h${n}`, 5]));
  assert.ok(Object.keys(many).every((holder) => holderAfter(10, many).mayGo(holder, 1_000)));
});

test('caps the throttle after a pause of the machine, and counts each tick alone', () => {
  const heavy = holderAfter(4_000, { much: 20 });
  assert.equal(heavy.restsUntil(1_000), 1_050);
  heavy.endTurn(true, 1_100);
  assert.ok(heavy.mayGo('much', 1_100));
});
