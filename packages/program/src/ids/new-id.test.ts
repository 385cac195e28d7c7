import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isId } from '@svc/contract/tables/ids.ts';
import { newId } from './new-id.ts';

const IDS = 20_000;

test('creates well-formed, strictly increasing ids, within a millisecond and across many', () => {
  const ids = Array.from({ length: IDS }, () => newId('action'));
  for (const [index, id] of ids.entries()) {
    assert.ok(isId('action', id), id);
    assert.ok(index === 0 || id > (ids[index - 1] ?? ''), `${ids[index - 1]} then ${id}`);
  }
});

test('creates unrelated random parts in ids of different milliseconds', async () => {
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
