import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { openUnauthenticatedSocket, runInParallel } from '../../hostile-client.ts';

const HEAD = 'HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const CHUNKS = '1\r\nx\r\n'.repeat(40_000);

/** Each byte of a body is separate work. Some continue for half a second, others reconnect constantly. */
export const attack: Attack<{ readonly heads: readonly { readonly url: string; readonly head: string }[] }> = {
  title: 'a stranger uploads bodies in chunks of one byte over 8 connections',
  prepare: async (scene) => ({
    heads: [
      { url: scene.gatewayUrl, head: `POST /gateway/v1/token ${HEAD}` },
      { url: scene.controlUrl, head: `POST /v1/auth/login ${HEAD}` },
    ],
  }),
  spend: ({ heads }, signal) =>
    runInParallel(8, signal, async (turn) => {
      const { url, head } = heads[turn % 2] ?? { url: '', head: '' };
      const socket = openUnauthenticatedSocket(url);
      socket.resume().write(head);
      const write = (): void => void (socket.destroyed || socket.write(CHUNKS, write));
      write();
      await sleep(turn % 8 < 4 ? 650 : 100);
      socket.destroy();
    }),
};
