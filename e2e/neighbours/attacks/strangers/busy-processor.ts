import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';

/** No attack: it shows what sharing this machine's processors costs by itself, which is the minimum for any other line of the table. */
export const attack: Attack<null> = {
  title: 'nobody attacks; a process keeps one processor of this machine busy, as the attackers of the other lines do',
  longOnly: true,
  prepare: () => Promise.resolve(null),
  spend: async (_prepared, signal) => {
    while (!signal.aborted) {
      for (const until = performance.now() + 100; performance.now() < until; ) Math.sqrt(until);
      await sleep(0);
    }
  },
};
