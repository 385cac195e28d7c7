import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { cutBody, getBodyState } from './arriving-body.ts';
import { getConnection } from './connection.ts';

/**
 * Reads and discards the rest of a body that was already answered, since closing at once could lose the response for a client that is still
 * sending. A body that is announced as too large, is large without an announcement, or takes too long, is not read; the request timeout
 * ends it.
 */
export const discardRemainingBody = (request: IncomingMessage): void => {
  const { discardedBytesMax, discardedUnannouncedBytesMax, discardedMs } = LIMITS.connections;
  const connection = getConnection(request.socket);
  const stopIfUnfinished = (): void => {
    if (!request.complete && !request.socket.destroyed && connection !== undefined) cutBody(connection, request);
  };
  const announced = request.headers['content-length'];
  if (Number(announced ?? 0) > discardedBytesMax) {
    stopIfUnfinished();
    return;
  }
  if (announced === undefined && connection !== undefined) getBodyState(connection, request).bytesLeft = discardedUnannouncedBytesMax;
  setTimeout(stopIfUnfinished, discardedMs).unref();
};
