import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../time/until.ts';
import { newPool } from './pool.ts';

const getPool = (idleMax = 9) => {
  const stopped: string[] = [];
  const reported: string[] = [];
  let made = 0;
  const make = (kind: string) => {
    made += 1;
    const name = `${kind}${made}`;
    const item = {
      ...{ name, why: null as string | null, isHalted: false },
      unfit: async () => item.why,
      halt: () => {
        item.isHalted = true;
      },
      wake: async () => {
        item.isHalted = false;
        return item.why;
      },
      stop: async () => void stopped.push(name),
    };
    return Promise.resolve(item);
  };
  return { pool: newPool(make, { idleMax, report: (why) => reported.push(why) }), stopped, reported };
};

test('a returned lease is leased again, to one at a time and as its own kind', async () => {
  const { pool } = getPool();
  const first = await pool.take('a');
  const [beside, other] = await Promise.all([pool.take('a'), pool.take('b')]);
  assert.deepEqual([first.name, beside.name, other.name], ['a1', 'a2', 'b3']);
  await pool.giveBack(first);
  assert.equal((await pool.take('b')).name, 'b4');
  assert.equal((await pool.take('a')).name, 'a1');
});

test('an unfit one, or one whose lessee ended silently, is stopped and not leased again', async () => {
  const { pool, stopped, reported } = getPool();
  const [altered, left] = [await pool.take('a'), await pool.take('a')];
  altered.why = 'altered';
  await pool.giveBack(altered);
  await pool.giveBack(left, { spoilt: true });
  assert.equal((await pool.take('a')).name, 'a3');
  assert.deepEqual([stopped.sort(), reported], [['a1', 'a2'], ['altered']]);
});

test('an unused one is halted, and woken for the next lessee, who never gets one that does not wake', async () => {
  const { pool, stopped, reported } = getPool();
  const item = await pool.take('a');
  await pool.giveBack(item);
  await waitUntil('it is halted', () => item.isHalted);
  assert.deepEqual([(await pool.take('a')).name, item.isHalted], ['a1', false]);
  await pool.giveBack(item);
  await waitUntil('it is halted', () => item.isHalted);
  item.why = 'sleeps on';
  assert.equal((await pool.take('a')).name, 'a2');
  assert.deepEqual([stopped, reported], [['a1'], ['sleeps on']]);
});

test('the idle ones stay within their limit, the longest unused goes first, and the end stops all of them', async () => {
  const { pool, stopped } = getPool(1);
  const items = [await pool.take('a'), await pool.take('b'), await pool.take('c')];
  for (const item of items.slice(0, 2)) await pool.giveBack(item);
  assert.deepEqual(stopped, ['a1']);
  await pool.close();
  assert.deepEqual(stopped.sort(), ['a1', 'b2', 'c3']);
});
