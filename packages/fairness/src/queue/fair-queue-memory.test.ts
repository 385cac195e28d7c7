import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newFairQueue } from './fair-queue.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' | 'major' }) => void;

const oldBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;

const BATCHES = 400;
/** 16 KiB each, so that all of them are 6 MiB. */
const newItem = (): number[] => Array.from({ length: 2_048 }, (_, index) => index + 0.5);

test('frees taken items by minor garbage collections alone, batch after batch', () => {
  const queue = newFairQueue<number[]>();
  collect({ type: 'major' });
  const before = oldBytes();
  for (let batch = 0; batch < BATCHES; batch += 1) {
    queue.push('org', newItem());
    collect({ type: 'minor' });
    assert.equal(queue.take(64).length, 1);
  }
  collect({ type: 'minor' });
  const grown = oldBytes() - before;
  assert.ok(grown < 2_000_000, `${grown} bytes grew old`);
});
