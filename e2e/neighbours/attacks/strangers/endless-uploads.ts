import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { openUnauthenticatedSocket, runInParallel, waitUntilWritable } from '../../hostile-client.ts';

const HEAD = 'POST /gateway/v1/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const CHUNK = `10000\r\n${'x'.repeat(65_536)}\r\n`;

/** A body that was refused long ago continues endlessly. */
export const attack: Attack<{ readonly url: string }> = {
  title: 'a stranger uploads bodies without an end over 10 connections',
  prepare: async (scene) => ({ url: scene.gatewayUrl }),
  spend: ({ url }, signal) =>
    runInParallel(10, signal, async () => {
      const socket = openUnauthenticatedSocket(url);
      socket.resume().write(HEAD);
      while (!signal.aborted && !socket.destroyed) {
        if (!socket.write(CHUNK)) await waitUntilWritable(socket);
      }
      await sleep(10);
    }),
};
