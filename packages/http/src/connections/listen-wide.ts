import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Server as Listener } from 'node:net';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** True if several sockets may listen on one port and the kernel distributes connections between them. */
export const CAN_LISTEN_WIDE = process.platform === 'linux';

const listenBeside = async (server: Server, { address, port }: AddressInfo): Promise<Listener> => {
  // Options of the connections that the server itself creates.
  const options = { allowHalfOpen: true, noDelay: true };
  const listener = createServer(options, (socket) => void server.emit('connection', socket));
  listener.listen({ host: address, port, backlog: LIMITS.connections.acceptQueueMax, reusePort: true });
  await once(listener, 'listening');
  return listener;
};

/**
 * Adds listeners to the port of a server that listens with `reusePort`. The event loop accepts one connection per listener and tick, and a
 * tick serves every connection with data: with one listener and hundreds of busy connections, a new one waits for as many ticks as came
 * before it.
 */
export const listenWide = (server: Server): Promise<readonly Listener[]> =>
  Promise.all(Array.from({ length: LIMITS.connections.listenersCount - 1 }, () => listenBeside(server, server.address() as AddressInfo)));
