import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFairTurns } from './fair-turns.ts';

const DEAR_MS = 6;

const burn = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('while little is to be done everything runs at once', async () => {
  const askThree = async (): Promise<string> => {
    const { run } = newFairTurns();
    const order: string[] = [];
    const all = [1, 2, 3].map((n) => run('one', async () => void order.push(`ran ${n}`)));
    order.push('asked');
    await Promise.all(all);
    return order.join(', ');
  };
  // A machine that halts in the middle of one makes it look dear; it does not do so each time.
  const orders = [await askThree(), await askThree(), await askThree()];
  assert.ok(orders.includes('ran 1, ran 2, ran 3, asked'), orders.join('; '));
});

test('whoever asks for something small waits for one dear request of another at most, however many it asks for', async () => {
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

test('others are heard between the turns, and what they ask is not put behind all that waits', async () => {
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

test('what a request throws is its own, at once and later', async () => {
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

/** How much of the dear is done each time that somebody small has been answered, who asks again and again. */
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
    // What a request waits for besides comes with the next turn.
    await new Promise(setImmediate);
    seen.push(done);
  }
  await Promise.all(dear);
  return seen;
};

test('what is dear rests while somebody asks for something small, however many ask for it, and goes on afterwards', async () => {
  for (const holders of [['one'], ['one', 'two', 'three']]) {
    const seen = await askSmallBeside(holders, 12);
    const between = (seen.at(-1) ?? 0) - (seen[0] ?? 0);
    assert.ok(between <= 4, `${between} dear pieces went between twelve small ones: ${seen.join(', ')}`);
  }
});

test('what is dear rests for nobody where nobody else asks', async () => {
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
