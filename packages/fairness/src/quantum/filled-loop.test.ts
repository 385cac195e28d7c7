import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STRANGERS } from './expensive-tenants.ts';
import { newFairTurns } from './fair-turns.ts';

const burn = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

/**
 * Counts the small pieces of a holder that finish in a period while another holder sends one every few milliseconds, or only
 * unauthenticated clients do.
 */
const doneBeside = async (other: string, forMs: number): Promise<number> => {
  const { run } = newFairTurns();
  let done = 0;
  let goesOn = true;
  const busy = async (): Promise<void> => {
    while (goesOn) {
      await run('much', async () => burn(0.5));
      // Work that follows and belongs to no time slice.
      burn(1);
      done += 1;
      await new Promise(setImmediate);
    }
  };
  const all = Array.from({ length: 16 }, busy);
  for (const until = performance.now() + forMs; performance.now() < until; await sleep(5)) await run(other, async () => undefined);
  goesOn = false;
  await Promise.all(all);
  return done;
};

test('limits a holder that fills the event loop with small work while an authenticated holder is active', async () => {
  const [beside, alone] = [await doneBeside('other', 400), await doneBeside(STRANGERS, 400)];
  assert.ok(beside < alone * 0.6, `${beside} pieces beside somebody, and ${alone} beside strangers`);
  assert.ok(beside > alone * 0.1, `${beside} pieces beside somebody, and ${alone} beside strangers`);
});
