import type { IncomingMessage, RequestListener } from 'node:http';
import { getConnection, isFull, type ServerConnection, takeNextUse } from './connection.ts';
import { answerTurnedAway } from './turn-away.ts';

/** After CONNECT another protocol follows, which is not supported: nothing more is read, and its response is the last one. */
const isLastRequest = ({ method }: IncomingMessage): boolean => method === 'CONNECT';

/**
 * Applies backpressure to pipelining: a request is handled when the system has accepted the previous response, so that nothing more is
 * produced for a client that does not read.
 */
export const applyBackpressure = (handle: RequestListener): RequestListener => {
  const advance = (connection: ServerConnection): void => {
    const next = connection.pipelined.shift();
    connection.isAdvancing = next !== undefined && !connection.socket.destroyed;
    if (next === undefined && connection.isOverrun) connection.socket.destroySoon();
    if (next === undefined || connection.socket.destroyed) return;
    connection.last = next.response;
    next.response.once('close', () => advanceLater(connection));
    handle(next.request, next.response);
  };
  // In an event-loop tick of its own: otherwise all pipelined requests of one client would be answered before any other client's.
  const advanceLater = (connection: ServerConnection): void => void setImmediate(advance, connection);
  return (request, response) => {
    const connection = getConnection(request.socket);
    if (connection === undefined) return handle(request, response);
    if (connection.refused !== undefined) return answerTurnedAway(connection.refused, connection, request, response);
    const { last, pipelined, socket } = connection;
    connection.usedAt = takeNextUse();
    if (socket.destroyed || isFull(connection)) return;
    if (isLastRequest(request)) {
      response.shouldKeepAlive = false;
      connection.isOverrun = true;
    }
    if (!connection.isAdvancing && (last === undefined || last.writableFinished)) {
      connection.last = response;
      handle(request, response);
      return;
    }
    pipelined.push({ request, response });
    if (connection.isAdvancing) return;
    connection.isAdvancing = true;
    last?.once('close', () => advanceLater(connection));
  };
};
