import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';

/**
 * No attack: what the neighbour feels of it is what sharing this machine's processors with whoever attacks costs by itself, and so the
 * least that any other line of the table can show where there are few of them.
 */
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
