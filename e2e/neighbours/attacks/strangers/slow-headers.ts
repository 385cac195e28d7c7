import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { openUnauthenticatedSocket, runInParallel } from '../../hostile-client.ts';

/** A connection with an incomplete request is held open. */
export const attack: Attack<{ readonly urls: readonly string[] }> = {
  title: 'a stranger trickles headers over 500 connections to both planes',
  prepare: async (scene) => ({ urls: [scene.gatewayUrl, scene.controlUrl] }),
  spend: ({ urls }, signal) =>
    runInParallel(500, signal, async (turn) => {
      const socket = openUnauthenticatedSocket(urls[turn % 2] ?? '');
      await once(socket, 'connect').catch(() => undefined);
      socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n');
      while (!signal.aborted && !socket.destroyed) {
        socket.write(`x-${turn}: y\r\n`);
        await sleep(500);
      }
      await sleep(10);
    }),
};
