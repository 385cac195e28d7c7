import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newLeastServedQueue } from './least-served-queue.ts';

test('serves the tenant with the least recent time first, equal ones in order of arrival, and forgets old usage', () => {
  let now = 0;
  const queue = newLeastServedQueue<string>(() => now);
  const serve = (tookMs: number): string | undefined => {
    const next = queue.take();
    if (next) queue.charge(next.tenant, tookMs);
    return next?.item;
  };
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  assert.equal(serve(5_000), 'a1');
  queue.push('b', 'b1');
  queue.push('c', 'c1');
  queue.push('b', 'b2');
  assert.deepEqual(
    [10, 20, 10, 0, 0].map((tookMs) => serve(tookMs)),
    ['b1', 'c1', 'b2', 'a2', 'a3'],
  );
  assert.equal(queue.take(), undefined);
  now += 600_000;
  queue.charge('b', 100);
  queue.push('b', 'b3');
  queue.push('a', 'a4');
  assert.equal(serve(0), 'a4');
  assert.deepEqual(queue.takeAll(), ['b3']);
  assert.equal(queue.take(), undefined);
});
