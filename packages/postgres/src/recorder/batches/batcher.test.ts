import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { newBatcher, QueueFullError, WaitedTooLongError } from './batcher.ts';

const settings = { rowsMax: 4, inFlightMax: 2, queueMax: 10, ownBatchRows: 3 };

const deferred = () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { gate, release };
};

const later = (ms: number) => new Promise<'later'>((resolve) => setTimeout(() => resolve('later'), ms));

const rejection = () => new pg.DatabaseError('duplicate key', 1, 'error');

describe('the batcher', () => {
  test('sends items of one event-loop tick together, in order', async () => {
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

  test('sends a full round trip at once, next to a batch in flight too, and the rest when that has returned', async () => {
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

  test('never exceeds the maximum of rows in a batch or of batches in flight', async () => {
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

  test('refuses at once what exceeds its queue behind a batch in flight, and nothing it accepted', async () => {
    const { gate, release } = deferred();
    const batcher = newBatcher<number, number>({ ...settings, inFlightMax: 1, run: (items) => gate.then(() => items) });
    const taken = Array.from({ length: settings.ownBatchRows + settings.queueMax }, (_, n) => batcher.add(n));
    await assert.rejects(batcher.add(99), QueueFullError);
    release();
    assert.equal((await Promise.all(taken)).length, settings.ownBatchRows + settings.queueMax);
  });

  test('refuses only the bad row', async () => {
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

  test('refuses the whole batch for a broken connection, since the result is unknown', async () => {
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

  test('refuses the whole batch for an unavailable server, without retrying each row', async () => {
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

  test('drains: resolves only when nothing is queued or in flight', async () => {
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

describe('the batcher, shared by organizations,', () => {
  type Row = { readonly of: string; readonly n: number };
  const share = { keyOf: ({ of }: Row) => of, queueMax: 60 };
  const listRows = (of: string, count: number): Row[] => Array.from({ length: count }, (_, n) => ({ of, n }));

  test('takes from each in turn when more waits than a batch holds, and from each in order', async () => {
    const { gate, release } = deferred();
    const batches: Row[][] = [];
    const run = async (items: readonly Row[]) => {
      batches.push([...items]);
      await gate;
      return items;
    };
    const batcher = newBatcher<Row, Row>({ ...settings, inFlightMax: 1, queueMax: 1_000, share, run });
    const added = listRows('greedy', 50).map((row) => batcher.add(row));
    const others = [...listRows('quiet', 2), ...listRows('other', 1)].map((row) => batcher.add(row));
    release();
    await Promise.all([...added, ...others]);
    const after = batches.slice(1, 3).flat();
    assert.ok(['quiet', 'other', 'greedy'].every((of) => batches[1]?.some((row) => row.of === of)));
    assert.equal(after.filter(({ of }) => of === 'quiet').length, 2);
    const greedy = batches.flat().filter(({ of }) => of === 'greedy');
    assert.deepEqual(
      greedy.map(({ n }) => n),
      listRows('greedy', 50).map(({ n }) => n),
    );
  });

  test('sends rows of a light key next to those of a heavy one, and waits for no more of them', async () => {
    const { gate, release } = deferred();
    const batches: Row[][] = [];
    const run = async (items: readonly Row[]) => {
      batches.push([...items]);
      if (items.some(({ of }) => of === 'greedy')) await gate;
      return items;
    };
    const batcher = newBatcher<Row, Row>({
      ...settings,
      rowsMax: 20,
      ownBatchRows: 20,
      inFlightMax: 1,
      besideMax: 1,
      queueMax: 1_000,
      share,
      run,
    });
    const greedy = listRows('greedy', 40).map((row) => batcher.add(row));
    await new Promise(setImmediate);
    greedy.push(...listRows('greedy', 3).map((row) => batcher.add(row)));
    for (const n of [1, 2]) {
      const quiet = await Promise.race([batcher.add({ of: 'quiet', n }), later(2_000)]);
      assert.deepEqual(quiet, { of: 'quiet', n });
    }
    assert.deepEqual(
      batches.map((rows) => [...new Set(rows.map(({ of }) => of))]),
      [['greedy'], ['quiet'], ['quiet']],
    );
    let isDrained = false;
    const drained = batcher.drain().then(() => {
      isDrained = true;
    });
    await new Promise(setImmediate);
    assert.ok(!isDrained);
    release();
    await Promise.all([...greedy, drained]);
  });

  test('counts few heavy rows as many, and sends no other key with them', async () => {
    const { gate, release } = deferred();
    const batches: Row[][] = [];
    const run = async (items: readonly Row[]) => {
      batches.push([...items]);
      if (items.some(({ of }) => of === 'heavy')) await gate;
      return items;
    };
    const weight = { of: ({ of }: Row) => (of === 'heavy' ? 25 : 0), max: 100 };
    const batcher = newBatcher<Row, Row>({
      ...{ ...settings, rowsMax: 20, ownBatchRows: 4, inFlightMax: 2, besideMax: 1, queueMax: 1_000 },
      weight,
      share,
      run,
    });
    const heavy = listRows('heavy', 4).map((row) => batcher.add(row));
    await new Promise(setImmediate);
    // One more batch of the heavy key may go, and the light one is not in it.
    const light = batcher.add({ of: 'light', n: 1 });
    heavy.push(...listRows('heavy', 6).map((row) => batcher.add(row)));
    assert.deepEqual(await Promise.race([light, later(2_000)]), { of: 'light', n: 1 });
    assert.deepEqual(
      batches.map((rows) => rows.map(({ of }) => of)),
      [Array(4).fill('heavy'), ['light'], Array(4).fill('heavy')],
    );
    release();
    await Promise.all(heavy);
  });

  test('sends nothing next to few rows of another key: they go together in the next batch', async () => {
    const { gate, release } = deferred();
    const sizes: number[] = [];
    const run = async (items: readonly Row[]) => {
      sizes.push(items.length);
      await gate;
      return items;
    };
    const batcher = newBatcher<Row, Row>({ ...settings, inFlightMax: 1, besideMax: 1, queueMax: 1_000, share, run });
    const added = listRows('one', 3).map((row) => batcher.add(row));
    added.push(...listRows('two', 1).map((row) => batcher.add(row)), ...listRows('three', 1).map((row) => batcher.add(row)));
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(sizes, [3]);
    release();
    await Promise.all(added);
    assert.deepEqual(sizes, [3, 2]);
  });

  test('answers a light key in a batch first, and many in several event-loop ticks; it is drained when all are answered', async () => {
    const run = async (items: readonly Row[]) => items;
    const batcher = newBatcher<Row, Row>({ ...settings, rowsMax: 50, ownBatchRows: 50, queueMax: 1_000, share, run });
    const order: string[] = [];
    const note = (row: Row): void => void order.push(row.of);
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    const all = [...listRows('greedy', 30), ...listRows('quiet', 1)].map((row) => batcher.add(row).then(note));
    await batcher.drain();
    clearImmediate(counting);
    await Promise.all(all);
    assert.equal(order[0], 'quiet');
    assert.equal(order.length, 31);
    assert.ok(turns >= 3, `all were answered in ${turns} turns`);
  });

  test('refuses a key with too much waiting, and no other', async () => {
    const { gate, release } = deferred();
    const batcher = newBatcher<Row, Row>({ ...settings, inFlightMax: 1, queueMax: 1_000, share, run: (items) => gate.then(() => items) });
    const greedy = await Promise.race([Promise.allSettled(listRows('greedy', 100).map((row) => batcher.add(row))), later(20)]);
    assert.equal(greedy, 'later');
    await assert.rejects(batcher.add({ of: 'greedy', n: 100 }), QueueFullError);
    const other = batcher.add({ of: 'other', n: 1 });
    release();
    assert.deepEqual(await other, { of: 'other', n: 1 });
  });

  test('gives up what waited too long, and never sends it', async () => {
    const { gate, release } = deferred();
    const sent: Row[] = [];
    const run = async (items: readonly Row[]) => {
      sent.push(...items);
      await gate;
      return items;
    };
    const batcher = newBatcher<Row, Row>({ ...settings, inFlightMax: 1, waitMsMax: 200, share, run });
    const underWay = listRows('one', 3).map((row) => batcher.add(row));
    const waiting = listRows('two', 2).map((row) => batcher.add(row));
    const outcomes = await Promise.race([Promise.allSettled(waiting), later(2_000)]);
    assert.ok(outcomes !== 'later' && outcomes.every((each) => each.status === 'rejected' && each.reason instanceof WaitedTooLongError));
    release();
    assert.deepEqual(await Promise.all(underWay), listRows('one', 3));
    await batcher.drain();
    assert.deepEqual(sent, listRows('one', 3));
  });

  test('finds a bad row among many in few round trips', async () => {
    let runs = 0;
    const run = async (items: readonly number[]) => {
      runs += 1;
      if (items.includes(7)) throw rejection();
      return items;
    };
    const batcher = newBatcher<number, number>({ ...settings, rowsMax: 256, queueMax: 256, ownBatchRows: 256, run });
    const outcomes = await Promise.allSettled(Array.from({ length: 256 }, (_, n) => batcher.add(n)));
    assert.deepEqual(
      outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : [])),
      [7],
    );
    assert.equal(runs, 17);
  });
});
