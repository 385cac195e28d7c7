import type { AddressInfo } from 'node:net';
import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import { isRefusedLogin, isUnavailable } from '@svc/postgres/connection/is-unavailable.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { tryPort } from '@svc/program/start/try-port.ts';
import { stopWhenAsked } from '@svc/program/stop/stop-when-asked.ts';
import type { FastifyInstance } from 'fastify';
import { letGo } from '../connections/let-go.ts';
import { CAN_LISTEN_WIDE, listenWide } from '../connections/listen-wide.ts';

const wrongHost = (host: string): string =>
  `HOST is "${host}", which this machine cannot listen on: name one of its addresses, or leave it out.`;

const CANNOT_LISTEN: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `Port ${port} on ${host} is taken by another program: stop that one, or choose another port.`,
  EACCES: (_host, port) => `Port ${port} needs rights that you do not have: choose one above 1023.`,
  EADDRNOTAVAIL: wrongHost,
  ENOTFOUND: wrongHost,
  EAI_AGAIN: wrongHost,
};

/** Listens and tells where. */
export const listen = async (app: FastifyInstance, host: string, port: number): Promise<string> => {
  try {
    // What shares a port takes no notice of whoever has it.
    if (CAN_LISTEN_WIDE && port !== 0) await tryPort(host, port);
    const options = { host, port, backlog: LIMITS.connections.acceptQueueMax, reusePort: CAN_LISTEN_WIDE };
    await app.listen(options);
    const servers = CAN_LISTEN_WIDE ? app.servers.filter(({ listening }) => listening) : [];
    app.listeners.push(...(await Promise.all(servers.map(listenWide))).flat());
  } catch (error) {
    const says = CANNOT_LISTEN[(error as NodeJS.ErrnoException).code ?? ''];
    if (says === undefined) throw error;
    throw refuseToStart([says(host, port)]);
  }
  const address = app.server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
};

/**
 * Stops when asked: what comes is refused and readiness says so, the running requests finish, what is not asked whole or lies unread is let go of, then
 * the port is closed and `close` called. What takes longer than `drainMs` in all is broken off.
 */
export const stopPlaneWhenAsked = (app: FastifyInstance, drainMs: number, close: () => Promise<void>): void =>
  stopWhenAsked(async () => {
    app.drain.begin();
    await app.drain.idle();
    const stopLettingGo = await letGo(app.servers);
    // Each is closed when its last connection is.
    await Promise.all([app.close(), ...app.listeners.map((listener) => new Promise((closed) => listener.close(closed)))]);
    stopLettingGo();
    // What had begun to arrive before, and was whole only now.
    await app.drain.idle();
    await close();
  }, drainMs);

/** A plane that comes up while its database is away says so in a sentence and ends; whoever started it starts it again. */
export const refuseWithoutDatabase = (error: unknown): never => {
  if (isRefusedLogin(error))
    return refuseToStart([
      `The database does not let this plane in: ${SETTINGS.masterKey} must be the one the database was set up with, and the database must have been brought up to date by a start with ${SETTINGS.databaseUrl} of its owner.`,
    ]);
  if (!isUnavailable(error)) throw error;
  const said = error instanceof Error ? error.message : 'no reason given';
  return refuseToStart([`The database does not answer (${said}): see that it runs and that ${SETTINGS.databaseUrl} names it.`]);
};
