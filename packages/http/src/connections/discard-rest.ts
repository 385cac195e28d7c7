import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { bodyOf, cutBody } from './arriving-body.ts';
import { connectionOf } from './connection.ts';

/**
 * What is left of a body that was answered already is read and thrown away, since closing at once could take the answer from whoever is
 * still sending. What is announced as too large for that, is more than a little where nothing is announced, or goes on for too long, is not
 * read; the time for a whole request ends it.
 */
export const discardRest = (request: IncomingMessage): void => {
  const { discardedBytesMax, discardedUnannouncedBytesMax, discardedMs } = LIMITS.connections;
  const connection = connectionOf(request.socket);
  const stopIfUnfinished = (): void => {
    if (!request.complete && !request.socket.destroyed && connection !== undefined) cutBody(connection, request);
  };
  const announced = request.headers['content-length'];
  if (Number(announced ?? 0) > discardedBytesMax) {
    stopIfUnfinished();
    return;
  }
  if (announced === undefined && connection !== undefined) bodyOf(connection, request).bytesLeft = discardedUnannouncedBytesMax;
  setTimeout(stopIfUnfinished, discardedMs).unref();
};
