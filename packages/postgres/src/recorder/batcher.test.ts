import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { newBatcher, QueueFullError } from './batcher.ts';

const settings = { rowsMax: 4, inFlightMax: 2, queueMax: 10, ownBatchRows: 3 };

const deferred = () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { gate, release };
};

const rejection = () => new pg.DatabaseError('duplicate key', 1, 'error');

describe('the batcher', () => {
  test('sends what was added in the same turn together, in order', async () => {
    const seen: number[][] = [];
    const run = async (items: readonly number[]) => {
      seen.push([...items]);
      return items.map((n) => n * 2);
    };
    const batcher = newBatcher<number, number>({ ...settings, run });
    const results = await Promise.all([1, 2, 3].map((n) => batcher.add(n)));
    assert.deepEqual(results, [2, 4, 6]);
    assert.deepEqual(seen, [[1, 2, 3]]);
  });

  test('sends at once what is worth a round trip, also beside a batch on its way, and the rest when that has come back', async () => {
    const { gate, release } = deferred();
    const sizes: number[] = [];
    const batcher = newBatcher<number, number>({
      ...settings,
      run: async (items) => {
        sizes.push(items.length);
        await gate;
        return items;
      },
    });
    const added = [1, 2, 3].map((n) => batcher.add(n));
    assert.deepEqual(sizes, [3]);
    added.push(batcher.add(4));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(sizes, [3]);
    added.push(...[5, 6, 7].map((n) => batcher.add(n)));
    assert.deepEqual(sizes, [3, 3]);
    release();
    assert.deepEqual(await Promise.all(added), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(sizes, [3, 3, 1]);
  });

  test('never has more rows in a batch or more batches on their way than it may', async () => {
    let running = 0;
    let most = 0;
    const sizes: number[] = [];
    const batcher = newBatcher<number, number>({
      ...settings,
      queueMax: 1_000,
      run: async (items) => {
        running += 1;
        most = Math.max(most, running);
        sizes.push(items.length);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running -= 1;
        return items;
      },
    });
    const all = Array.from({ length: 100 }, (_, n) => n);
    assert.deepEqual(await Promise.all(all.map((n) => batcher.add(n))), all);
    assert.ok(most <= 2, `${most} at once`);
    assert.ok(Math.max(...sizes) <= 4);
  });

  test('refuses at once what its queue cannot hold behind a batch on its way, and nothing that it took', async () => {
    const { gate, release } = deferred();
    const batcher = newBatcher<number, number>({ ...settings, inFlightMax: 1, run: (items) => gate.then(() => items) });
    const taken = Array.from({ length: settings.ownBatchRows + settings.queueMax }, (_, n) => batcher.add(n));
    await assert.rejects(batcher.add(99), QueueFullError);
    release();
    assert.equal((await Promise.all(taken)).length, settings.ownBatchRows + settings.queueMax);
  });

  test('one bad row refuses nobody else', async () => {
    const batcher = newBatcher<number, number>({
      ...settings,
      run: async (items) => {
        if (items.includes(2)) throw rejection();
        return items;
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((n) => batcher.add(n)));
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  test('a broken connection refuses the whole batch, since nobody knows what was written', async () => {
    let runs = 0;
    const batcher = newBatcher<number, number>({
      ...settings,
      run: async () => {
        runs += 1;
        throw new Error('Connection terminated unexpectedly');
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((n) => batcher.add(n)));
    assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'));
    assert.equal(runs, 1);
  });

  test('a server that says it cannot serve now refuses the whole batch, and is not asked again for each row', async () => {
    for (const code of ['57P01', '57P03', '57014', '53300']) {
      let runs = 0;
      const batcher = newBatcher<number, number>({
        ...settings,
        run: async () => {
          runs += 1;
          throw Object.assign(rejection(), { code });
        },
      });
      const outcomes = await Promise.allSettled([1, 2, 3].map((n) => batcher.add(n)));
      assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'));
      assert.equal(runs, 1, code);
    }
  });

  test('drains: resolves only when nothing is queued or on its way', async () => {
    const { gate, release } = deferred();
    const batcher = newBatcher<number, number>({ ...settings, run: (items) => gate.then(() => items) });
    const added = batcher.add(1);
    let drained = false;
    const draining = batcher.drain().then(() => {
      drained = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(drained, false);
    release();
    await Promise.all([added, draining]);
    assert.equal(drained, true);
  });
});
