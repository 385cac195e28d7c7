import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/limits.ts';

/**
 * Reads and throws away what is left of a body that was answered already, since closing at once could take the answer from whoever is
 * still sending; and closes after all when it goes on and on.
 */
export const discardRest = (request: IncomingMessage): void => {
  let left: number = LIMITS.connections.discardedBytesMax;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
};
