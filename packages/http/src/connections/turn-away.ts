import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { toWire } from '../answers/error-to-wire.ts';
import type { ServerConnection } from './connection.ts';

const { turnedAwayMax, turnedAwayPerAddressMax, turnedAwayMs } = LIMITS.connections;

export const TOO_MANY = buildRefusal('RATE_LIMITED', 'Your address opens or holds too many connections. Reuse connections, and retry.', {
  retry_after_seconds: 1,
});
export const NO_CAPACITY = buildRefusal('DEPENDENCY_UNAVAILABLE', 'The server has no capacity for another connection. Retry.', {
  retry_after_seconds: 1,
});

/**
 * Lets a connection beyond the limits send one request, and responds when to retry. A few of these are open at a time, each briefly; more
 * of them are reset.
 */
export const newTurnAway = () => {
  const byGroup = new Map<string, number>();
  let count = 0;
  const add = (group: string, by: 1 | -1): void => {
    count += by;
    const held = (byGroup.get(group) ?? 0) + by;
    if (held > 0) byGroup.set(group, held);
    else byGroup.delete(group);
  };
  return (connection: ServerConnection, refused: Refusal): void => {
    const { socket, addressGroup } = connection;
    if (count >= turnedAwayMax || (byGroup.get(addressGroup) ?? 0) >= turnedAwayPerAddressMax) return void socket.destroy();
    connection.refused = refused;
    add(addressGroup, 1);
    const timer = setTimeout(() => socket.destroy(), turnedAwayMs);
    socket.once('close', () => {
      clearTimeout(timer);
      add(addressGroup, -1);
    });
  };
};

/** Answers the first request of a refused connection, once its body has arrived, and closes the connection. */
export const answerTurnedAway = (
  refused: Refusal,
  connection: ServerConnection,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (connection.last !== undefined) return;
  connection.last = response;
  const { status, retryAfterSeconds, body } = toWire(refused, newId('request'));
  const text = JSON.stringify(body);
  request.once('end', () => {
    response.writeHead(status, {
      ...{ 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store' },
      ...{ 'retry-after': String(retryAfterSeconds ?? 1), connection: 'close' },
    });
    response.end(text);
  });
  request.resume();
};
