import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/**
 * What is left of a body that was answered already is read and thrown away, since closing at once could take the answer from whoever is
 * still sending. What is announced as too large for that, or goes on for too long, is not read; the time for a whole request ends it.
 */
export const discardRest = (request: IncomingMessage): void => {
  const { discardedBytesMax, discardedMs } = LIMITS.connections;
  const { socket } = request;
  const stopIfUnfinished = (): void => {
    if (!request.complete && !socket.destroyed) socket.pause();
  };
  if (Number(request.headers['content-length'] ?? 0) > discardedBytesMax) stopIfUnfinished();
  else setTimeout(stopIfUnfinished, discardedMs).unref();
};
