import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as Listener } from 'node:net';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** Where several sockets may listen on one port and the kernel shares what comes among them. */
export const CAN_LISTEN_WIDE = process.platform === 'linux';

const listenBeside = async (server: Server, { address, port }: AddressInfo): Promise<Listener> => {
  // As the server makes its own connections.
  const options = { allowHalfOpen: true, noDelay: true };
  const listener = createServer(options, (socket) => void server.emit('connection', socket));
  listener.listen({ host: address, port, backlog: LIMITS.connections.acceptQueueMax, reusePort: true });
  await once(listener, 'listening');
  return listener;
};

/**
 * More listeners on the port of a server that listens with `reusePort`. The event loop accepts one connection of each in a turn, and a turn serves
 * every connection that has something to say: with one listener, hundreds of busy ones have a newcomer wait for as many turns as came before it.
 */
export const listenWide = (server: Server): Promise<readonly Listener[]> =>
  Promise.all(Array.from({ length: LIMITS.connections.listenersCount - 1 }, () => listenBeside(server, server.address() as AddressInfo)));
