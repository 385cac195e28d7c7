import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shareOut, withConnection } from './connection-shares.ts';

/** Counts the connections that an organization can hold at once, alone and while another is active. */
const heldOf = async (connectionsMax: number): Promise<readonly number[]> => {
  const database = {};
  shareOut(database, { connectionsMax, timeoutMs: 5_000 });
  const most = async (): Promise<number> => {
    let [running, atOnce] = [0, 0];
    const work = async (): Promise<void> => {
      running += 1;
      atOnce = Math.max(atOnce, running);
      await sleep(1);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 2 * connectionsMax }, () => withConnection(database, 'org_1', work)));
    return atOnce;
  };
  const alone = await most();
  await withConnection(database, 'org_2', async () => undefined);
  return [alone, await most()];
};

test('bounds an organization to half of the connections, and a quarter while others are active, but at least two if half are as many', async () => {
  const counts = [1, 2, 3, 4, 8, 16, 100];
  const expected = [
    [1, 1],
    [1, 1],
    [2, 2],
    [2, 2],
    [4, 2],
    [8, 4],
    [50, 25],
  ];
  for (const [index, count] of counts.entries()) assert.deepEqual(await heldOf(count), expected[index], `of ${count}`);
});
