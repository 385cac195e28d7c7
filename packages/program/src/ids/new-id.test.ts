import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId } from '@svc/contract/tables/ids.ts';
import { newId } from './new-id.ts';

const IDS = 20_000;

test('every id is well formed and greater than the one before, within a millisecond and across many', () => {
  const ids = Array.from({ length: IDS }, () => newId('action'));
  for (const [index, id] of ids.entries()) {
    assert.ok(isId('action', id), id);
    assert.ok(index === 0 || id > (ids[index - 1] ?? ''), `${ids[index - 1]} then ${id}`);
  }
});

test('what is random in the ids of different milliseconds has nothing in common', async () => {
  const tails = new Set<string>();
  const letters = new Set<string>();
  for (let index = 0; index < 60; index += 1) {
    const tail = newId('action').slice(-16);
    tails.add(tail.slice(0, 8));
    for (const letter of tail) letters.add(letter);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.equal(tails.size, 60);
  assert.equal(letters.size, 32);
});
