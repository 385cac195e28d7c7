import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newExpensiveHolders, STRANGERS } from './expensive-tenants.ts';

test('throttles all holders of expensive work for as long as it took, and no holder of small requests', () => {
  const dear = newExpensiveHolders();
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

test('throttles no one while no other holder was active recently, and counts small work of an expensive holder as small', () => {
  const dear = newExpensiveHolders();
  dear.note('small', 1, 1_000);
  dear.note('one', 40, 1_300);
  assert.ok(dear.mayGo('one', 1_301), 'the last small work is 300 ms ago');
  dear.note('one', 1, 1_302);
  assert.ok(dear.mayGo('one', 1_303));
  dear.note('small', 1, 1_304);
  assert.ok(!dear.mayGo('one', 1_305));
});

test('caps the throttle after a pause of the machine, and forgets an expensive holder after a second', () => {
  const dear = newExpensiveHolders();
  dear.note('small', 1, 5_000);
  dear.note('one', 4_000, 5_010);
  assert.equal(dear.restsUntil(5_011), 5_060);
  dear.note('small', 1, 5_990);
  dear.note('two', 30, 6_020);
  assert.ok(dear.mayGo('one', 6_030));
  assert.ok(!dear.mayGo('two', 6_030));
});

test('throttles unauthenticated clients for three times their work while an authenticated one is active, for at most 150 ms', () => {
  const turns = newExpensiveHolders();
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
