import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFairTurns } from './fair-turns.ts';

const DEAR_MS = 6;

const burn = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('runs everything at once while there is little work', async () => {
  const askThree = async (): Promise<string> => {
    const { run } = newFairTurns();
    const order: string[] = [];
    const all = [1, 2, 3].map((n) => run('one', async () => void order.push(`ran ${n}`)));
    order.push('asked');
    await Promise.all(all);
    return order.join(', ');
  };
  // A pause of the machine makes one of them look expensive, but not each time.
  const orders = [await askThree(), await askThree(), await askThree()];
  assert.ok(orders.includes('ran 1, ran 2, ran 3, asked'), orders.join('; '));
});

test('makes a small request wait for at most one expensive request of another holder', async () => {
  const { run } = newFairTurns();
  const order: string[] = [];
  const dear = Array.from({ length: 10 }, (_, n) =>
    run('dear', async () => {
      burn(DEAR_MS);
      order.push(`dear ${n}`);
    }),
  );
  const small = run('small', async () => void order.push('small'));
  await Promise.all([...dear, small]);
  assert.ok(order.indexOf('small') <= 2, order.join(', '));
  assert.deepEqual(
    order.filter((one) => one !== 'small'),
    dear.map((_, n) => `dear ${n}`),
  );
});

test('serves other holders between time slices, and does not queue their requests behind all that wait', async () => {
  const { run } = newFairTurns();
  let done = 0;
  const dear = Array.from({ length: 20 }, () =>
    run('dear', async () => {
      burn(DEAR_MS);
      done += 1;
    }),
  );
  await sleep(1);
  await run('late', async () => undefined);
  assert.ok(done <= 5, `${done} dear requests went before`);
  await Promise.all(dear);
});

test('returns an exception of a request to its caller, thrown at once or later', async () => {
  const { run } = newFairTurns();
  const fail = async (): Promise<never> => {
    burn(DEAR_MS);
    throw new Error('its own');
  };
  await assert.rejects(run('one', fail), /its own/);
  const both = await Promise.allSettled([run('one', fail), run('one', fail), run('two', async () => 'answered')]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
});

/** Measures how much expensive work runs between answers to a client that sends small requests repeatedly. */
const askSmallBeside = async (holders: readonly string[], times: number): Promise<number[]> => {
  const { run } = newFairTurns();
  let done = 0;
  const dear = holders.flatMap((holder) =>
    Array.from({ length: 20 }, () =>
      run(holder, async () => {
        burn(DEAR_MS);
        done += 1;
      }),
    ),
  );
  const seen: number[] = [];
  for (let time = 0; time < times; time += 1) {
    await run('small', async () => undefined);
    // The rest of the request runs in the next tick.
    await new Promise(setImmediate);
    seen.push(done);
  }
  await Promise.all(dear);
  return seen;
};

test('throttles expensive work while any number of small requests arrive, and continues it afterwards', async () => {
  for (const holders of [['one'], ['one', 'two', 'three']]) {
    const seen = await askSmallBeside(holders, 12);
    const between = (seen.at(-1) ?? 0) - (seen[0] ?? 0);
    assert.ok(between <= 4, `${between} dear pieces went between twelve small ones: ${seen.join(', ')}`);
  }
});

test('throttles no expensive work while no other holder is active', async () => {
  const { run } = newFairTurns();
  const began = performance.now();
  let worked = 0;
  const piece = async (): Promise<void> => {
    const from = performance.now();
    burn(DEAR_MS);
    worked += performance.now() - from;
  };
  await Promise.all(Array.from({ length: 30 }, () => run('one', piece)));
  const idle = performance.now() - began - worked;
  assert.ok(idle < worked / 2, `${idle} ms of rest beside ${worked} ms of work`);
});
