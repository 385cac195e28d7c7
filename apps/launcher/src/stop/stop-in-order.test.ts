import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopInOrder } from './stop-in-order.ts';

const never = new Promise<void>(() => {});

test('a group is stopped together, and the next one only after all of it is down', async () => {
  const seen: string[] = [];
  const part = (name: string, takesMs: number) => ({
    name,
    stop: async () => {
      seen.push(`${name} stops`);
      await sleep(takesMs);
      seen.push(`${name} down`);
    },
  });
  await stopInOrder([[part('control plane', 30), part('gateway', 5)], [part('database', 0)]], never);
  assert.deepEqual(seen, ['control plane stops', 'gateway stops', 'gateway down', 'control plane down', 'database stops', 'database down']);
});

test('a part that cannot be stopped does not keep the database running, and is reported at the end', async () => {
  let isDatabaseDown = false;
  const broken = { name: 'gateway', stop: () => Promise.reject(new Error('stuck')) };
  const database = {
    name: 'database',
    stop: async () => {
      isDatabaseDown = true;
    },
  };
  await assert.rejects(
    stopInOrder([[broken], [database]], never),
    (error: unknown) => error instanceof AggregateError && error.errors.length === 1,
  );
  assert.equal(isDatabaseDown, true);
});
