import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onTheBeat } from './on-the-beat.ts';

test('work of different lengths is answered after the same time', async () => {
  const tookMs = async (workMs: number): Promise<number> => {
    const startedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, workMs));
    assert.equal(await onTheBeat(startedAt, 'answer'), 'answer');
    return performance.now() - startedAt;
  };
  for (const workMs of [0, 3, 12]) {
    const took = await tookMs(workMs);
    assert.ok(took >= 24 && took < 49, `${workMs} ms of work were answered after ${took} ms`);
  }
});
