import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newDearHolders, STRANGERS } from './dear-holders.ts';

test('holders of dear work rest for as long as it took, all of them, and whoever asks for something small does not', () => {
  const dear = newDearHolders();
  dear.note('small', 1, 1_000);
  dear.note('one', 20, 1_020);
  dear.note('two', 30, 1_050);
  assert.deepEqual(
    ['one', 'two', 'small', 'unknown'].map((holder) => dear.mayGo(holder, 1_079)),
    [false, false, true, true],
  );
  assert.equal(dear.restsUntil(1_079), 1_080);
  assert.ok(dear.mayGo('one', 1_080));
});

test('nobody rests while nobody else asked of late, and small work of whoever is dear is nobody else', () => {
  const dear = newDearHolders();
  dear.note('small', 1, 1_000);
  dear.note('one', 40, 1_300);
  assert.ok(dear.mayGo('one', 1_301), 'the last small work is 300 ms ago');
  dear.note('one', 1, 1_302);
  assert.ok(dear.mayGo('one', 1_303));
  dear.note('small', 1, 1_304);
  assert.ok(!dear.mayGo('one', 1_305));
});

test('a halt of the machine is rested for in part, and who was dear a second ago is as all others', () => {
  const dear = newDearHolders();
  dear.note('small', 1, 5_000);
  dear.note('one', 4_000, 5_010);
  assert.equal(dear.restsUntil(5_011), 5_060);
  dear.note('small', 1, 5_990);
  dear.note('two', 30, 6_020);
  assert.ok(dear.mayGo('one', 6_030));
  assert.ok(!dear.mayGo('two', 6_030));
});

test('strangers rest for three times as long as they worked while somebody known is there, and whatever they did before no longer than 150 ms', () => {
  const turns = newDearHolders();
  turns.note('known', 1, 1_000);
  turns.note(STRANGERS, 2, 1_002);
  assert.deepEqual([turns.mayGo(STRANGERS, 1_007), turns.mayGo('known', 1_007), turns.restsUntil(1_007)], [false, true, 1_008]);
  assert.ok(turns.mayGo(STRANGERS, 1_008));
  for (let at = 2_000; at < 3_000; at += 10) {
    assert.ok(turns.mayGo(STRANGERS, at), 'nobody else is there');
    turns.note(STRANGERS, 10, at);
  }
  turns.note('known', 1, 3_000);
  assert.ok(!turns.mayGo(STRANGERS, 3_100));
  assert.ok(turns.mayGo(STRANGERS, 3_150));
});
