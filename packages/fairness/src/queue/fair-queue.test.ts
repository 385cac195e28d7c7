import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newFairQueue } from './fair-queue.ts';

type Step = readonly ['push' | 'remove', string, number] | readonly ['next' | 'take' | 'late' | 'last', number];

const key = fc.constantFrom('a', 'b', 'c');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('push' as const), key, fc.nat(400)),
  fc.tuple(fc.constant('remove' as const), key, fc.nat(400)),
  fc.tuple(fc.constantFrom('next' as const, 'take' as const, 'late' as const, 'last' as const), fc.nat(5)),
);

test('loses, repeats and reorders no item of a key under any sequence of operations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const queue = newFairQueue<{ readonly of: string; readonly number: number; readonly late: number }>();
      const waiting: Record<string, { readonly of: string; readonly number: number; readonly late: number }[]> = { a: [], b: [], c: [] };
      let number = 0;
      const expectTaken = (items: readonly { readonly of: string; readonly number: number }[], isFirst: boolean): void => {
        for (const item of items) {
          const line = waiting[item.of] ?? [];
          assert.equal(isFirst ? line.shift() : line.pop(), item);
        }
      };
      for (const [what, ...rest] of steps) {
        if (what === 'push') {
          const item = { of: String(rest[0]), number: number++, late: Number(rest[1]) };
          queue.push(item.of, item);
          waiting[item.of]?.push(item);
        } else if (what === 'remove') {
          const line = waiting[String(rest[0])] ?? [];
          const item = line[Number(rest[1]) % Math.max(1, line.length)];
          if (item === undefined) continue;
          assert.equal(queue.remove(item.of, item), true);
          assert.equal(queue.remove(item.of, item), false);
          line.splice(line.indexOf(item), 1);
        } else if (what === 'next')
          expectTaken(
            [queue.next()].filter((item) => item !== undefined),
            true,
          );
        else if (what === 'take') expectTaken(queue.take(Number(rest[0])), true);
        else if (what === 'late')
          expectTaken(
            queue.takeLate(({ late }) => late < 100 * Number(rest[0])),
            true,
          );
        else
          expectTaken(
            [queue.takeLastOfLongest(Number(rest[0]))].filter((item) => item !== undefined),
            false,
          );
        assert.equal(queue.size(), Object.values(waiting).flat().length);
        for (const [of, line] of Object.entries(waiting)) assert.equal(queue.sizeOf(of), line.length);
      }
    }),
    { numRuns: 200 },
  );
});

test('serves keys in turn, for any length of one', () => {
  const queue = newFairQueue<string>();
  for (let n = 0; n < 1_000; n += 1) queue.push('many', `many ${n}`);
  queue.push('one', 'one');
  queue.push('two', 'two');
  assert.deepEqual(queue.take(4), ['many 0', 'one', 'two', 'many 1']);
  queue.push('one', 'one again');
  assert.deepEqual([queue.next(), queue.next()], ['many 2', 'one again']);
});

test('keeps the position of a key that may not go and of an item that does not fit, and blocks no other key', () => {
  const queue = newFairQueue<number>();
  for (const n of [1, 2, 3]) queue.push('a', n);
  queue.push('b', 4);
  assert.equal(
    queue.next((key) => key !== 'a'),
    4,
  );
  assert.equal(
    queue.next(undefined, (n) => n === 2),
    2,
  );
  assert.equal(
    queue.next(undefined, (n) => n > 5),
    undefined,
  );
  assert.deepEqual(queue.take(5), [1, 3]);
});

test('evicts from the longest key, and only above the given length', () => {
  const queue = newFairQueue<number>();
  for (const n of [1, 2, 3]) queue.push('long', n);
  queue.push('short', 4);
  assert.equal(queue.takeLastOfLongest(3), undefined);
  assert.equal(queue.takeLastOfLongest(2), 3);
  assert.equal(queue.sizeOf('long'), 2);
});
