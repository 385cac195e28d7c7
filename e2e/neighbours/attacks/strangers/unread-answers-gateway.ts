import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { openUnauthenticatedSocket, runInParallel, waitUntilWritable } from '../../hostile-client.ts';

const REQUEST = 'GET /openapi.json HTTP/1.1\r\nhost: gateway\r\n\r\n'.repeat(50);

/** Responses are held in memory until they are read. */
export const attack: Attack<{ readonly url: string }> = {
  title: 'a stranger pipelines requests to the gateway over 60 connections and reads nothing',
  alone: true,
  prepare: async (scene) => ({ url: scene.gatewayUrl }),
  spend: ({ url }, signal) =>
    runInParallel(60, signal, async () => {
      const socket = openUnauthenticatedSocket(url);
      socket.pause();
      while (!signal.aborted && !socket.destroyed) {
        if (!socket.write(REQUEST)) await waitUntilWritable(socket);
      }
      await sleep(10);
    }),
};
