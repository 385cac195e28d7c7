import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newBoundedLane } from './bounded-lane.ts';

test('runs no more than the bound at once, in order, and finishes all', async () => {
  const enter = newBoundedLane({ parallelMax: 3, waitingMax: 100 });
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const work = Array.from({ length: 50 }, (_, number) =>
    enter(async () => {
      started.push(number);
      running += 1;
      most = Math.max(most, running);
      await nextTurn();
      running -= 1;
      return number;
    }),
  );
  assert.deepEqual(
    await Promise.all(work),
    Array.from({ length: 50 }, (_, number) => number),
  );
  assert.equal(most, 3);
  assert.deepEqual(
    started,
    started.toSorted((a, b) => a - b),
  );
});

test('refuses work beyond the queue at once and never starts it', async () => {
  const enter = newBoundedLane({ parallelMax: 1, waitingMax: 1 });
  let started = 0;
  const work = async () => {
    started += 1;
    await nextTurn();
  };
  const taken = [enter(work), enter(work)];
  assert.equal(enter(work), null);
  await Promise.all(taken);
  assert.equal(started, 2);
  await enter(work);
  assert.equal(started, 3, 'there is room again');
});

test('frees the slot of work that fails', async () => {
  const enter = newBoundedLane({ parallelMax: 1, waitingMax: 5 });
  await assert.rejects(enter(() => Promise.reject(new Error('broken'))) ?? Promise.resolve(), /broken/);
  await assert.rejects(
    enter(() => {
      throw new Error('broken before its first await');
    }) ?? Promise.resolve(),
    /first await/,
  );
  assert.equal(await enter(async () => 'through'), 'through');
});
