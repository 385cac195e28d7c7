import type { RequestListener } from 'node:http';
import { LIMITS } from '@svc/contract/limits.ts';
import { type Connection, connectionOf } from './connection.ts';

/**
 * Backpressure on pipelining: a request is handled when the answer to the one before it has been taken by the system, so that nothing
 * more is made for whoever does not read. A connection that sends too far ahead is closed.
 */
export const oneAtATime = (handle: RequestListener): RequestListener => {
  const advance = (connection: Connection): void => {
    const next = connection.pipelined.shift();
    connection.isAdvancing = next !== undefined && !connection.socket.destroyed;
    if (next === undefined || connection.socket.destroyed) return;
    connection.last = next.response;
    next.response.once('close', () => advance(connection));
    handle(next.request, next.response);
  };
  return (request, response) => {
    const connection = connectionOf(request.socket);
    if (connection === undefined) return handle(request, response);
    const { last, pipelined, socket } = connection;
    if (socket.destroyed) return;
    if (!connection.isAdvancing && (last === undefined || last.writableFinished)) {
      connection.last = response;
      handle(request, response);
      return;
    }
    if (pipelined.length >= LIMITS.connections.pipelinedMax) {
      pipelined.length = 0;
      socket.destroy();
      return;
    }
    pipelined.push({ request, response });
    if (connection.isAdvancing) return;
    connection.isAdvancing = true;
    last?.once('close', () => advance(connection));
  };
};
