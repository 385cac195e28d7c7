import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from './in-turn.ts';

test('never more than two run at once, all get their turn in order, and one that fails gives its place on', async () => {
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      inTurn(async () => {
        begun.push(index);
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
        if (index % 3 === 0) throw new Error('broken');
        return index;
      }),
    ),
  );
  assert.equal(most, 2);
  assert.deepEqual(
    begun,
    Array.from({ length: 12 }, (_, index) => index),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 4);
  assert.equal(await inTurn(async () => 'again'), 'again');
});
