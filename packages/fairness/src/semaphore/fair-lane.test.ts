import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newFairLane } from './fair-lane.ts';

const begin = (bounds: { parallelMax: number; waitingMax: number }) => {
  const enter = newFairLane(bounds);
  const started: string[] = [];
  let running = 0;
  const most = { atOnce: 0 };
  const ask = (key: string, name = key) =>
    enter(key, async () => {
      started.push(name);
      running += 1;
      most.atOnce = Math.max(most.atOnce, running);
      await nextTurn();
      running -= 1;
      return name;
    });
  return { ask, started, most, enter };
};

test('runs keys in turn, each in its own order, and never more than the bound at once', async () => {
  const { ask, started, most } = begin({ parallelMax: 2, waitingMax: 100 });
  const many = Array.from({ length: 10 }, (_, n) => ask('many', `many ${n}`));
  await Promise.all([...many, ask('one'), ask('two')]);
  assert.equal(most.atOnce, 2);
  assert.ok(started.indexOf('one') < 5 && started.indexOf('two') < 6, started.join());
  const ofMany = started.filter((name) => name.startsWith('many'));
  assert.deepEqual(ofMany, ofMany.toSorted());
});

test('evicts from the longest line when the queue is full, never from a shorter one', async () => {
  const { ask, started } = begin({ parallelMax: 1, waitingMax: 10 });
  const flood = Array.from({ length: 100 }, (_, n) => ask('flood', `flood ${n}`));
  const others = ['a', 'b', 'c'].map((key) => ask(key));
  assert.deepEqual(await Promise.all(others), ['a', 'b', 'c']);
  const served = (await Promise.all(flood)).filter((name) => name !== null);
  assert.deepEqual([served.length, started.length], [8, 11], 'one that ran, seven that kept their place, and the three others');
});

test('frees the slot of work that fails', async () => {
  const { enter, ask } = begin({ parallelMax: 1, waitingMax: 5 });
  await assert.rejects(
    enter('a', () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  await assert.rejects(
    enter('a', () => {
      throw new Error('before its first await');
    }),
    /first await/,
  );
  assert.equal(await ask('b'), 'b');
});
