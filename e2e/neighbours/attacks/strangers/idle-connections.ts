import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { openUnauthenticatedSocket, runInParallel } from '../../hostile-client.ts';

/** Each costs memory and a descriptor, and sends no request. */
export const attack: Attack<{ readonly urls: readonly string[] }> = {
  title: 'a stranger opens thousands of connections to both planes and asks nothing',
  prepare: async (scene) => ({ urls: [scene.gatewayUrl, scene.controlUrl] }),
  spend: ({ urls }, signal) =>
    runInParallel(4_000, signal, async (turn) => {
      await sleep((turn % 4_000) / 4);
      const socket = openUnauthenticatedSocket(urls[turn % 2] ?? '');
      while (!signal.aborted && !socket.destroyed) await sleep(1_000);
      await sleep(5_000);
    }),
};
