import type { AddressInfo } from 'node:net';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { tryPort } from '@svc/program/start/try-port.ts';
import { stopOnSignal } from '@svc/program/stop/stop-on-signal.ts';
import type { FastifyInstance } from 'fastify';
import { letGo } from '../connections/let-go.ts';
import { CAN_LISTEN_WIDE, listenWide } from '../connections/listen-wide.ts';
import type { Startup } from './new-startup.ts';

const wrongHost = (host: string): string =>
  `HOST is "${host}", but this machine cannot listen on it. Set one of its addresses, or unset HOST.`;

const CANNOT_LISTEN: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `Port ${port} on ${host} is in use by another program. Stop that program, or choose another port.`,
  EACCES: (_host, port) => `Port ${port} requires privileges that you do not have. Choose a port above 1023.`,
  EADDRNOTAVAIL: wrongHost,
  ENOTFOUND: wrongHost,
  EAI_AGAIN: wrongHost,
};

/** Listens on a port that no other program has. Exits with a message if that is not possible. */
export const getListen = async (app: FastifyInstance, host: string, port: number, isHeld = false): Promise<void> => {
  try {
    // A socket with a shared port does not detect another owner.
    if (CAN_LISTEN_WIDE && port !== 0 && !isHeld) await tryPort(host, port);
    // A variable, since the type omits `reusePort`.
    const options = { host, port, backlog: LIMITS.connections.acceptQueueMax, reusePort: CAN_LISTEN_WIDE };
    await app.listen(options);
  } catch (error) {
    const says = CANNOT_LISTEN[(error as NodeJS.ErrnoException).code ?? ''];
    if (says === undefined) throw error;
    throw refuseToStart([says(host, port)]);
  }
};

const listenBeside = async (app: FastifyInstance): Promise<void> => {
  const servers = CAN_LISTEN_WIDE ? app.servers.filter(({ listening }) => listening) : [];
  app.listeners.push(...(await Promise.all(servers.map(listenWide))).flat());
};

/** Listens and returns the URL. A stand-in that has the port hands it over; if a port cannot be shared it closes first. */
export const listen = async (app: FastifyInstance, host: string, port: number, startup: Startup): Promise<string> => {
  const standIn = startup.standIn();
  if (standIn !== undefined && !CAN_LISTEN_WIDE) await startup.end();
  await getListen(app, host, standIn?.port ?? port, standIn !== undefined);
  await listenBeside(app);
  await startup.end();
  const address = app.server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
};

/**
 * Stops on a signal: new requests are refused and readiness reports it, running requests complete, incomplete requests and unread responses
 * are dropped, then the port is closed and `close` called. Anything that takes longer than `drainMs` in total is aborted.
 */
export const stopPlaneOnSignal = (app: FastifyInstance, drainMs: number, close: () => Promise<void>): void =>
  stopOnSignal(async () => {
    app.drain.begin();
    await app.drain.idle();
    const stopLettingGo = await letGo(app.servers);
    // Each is closed when its last connection is.
    await Promise.all([app.close(), ...app.listeners.map((listener) => new Promise((closed) => listener.close(closed)))]);
    stopLettingGo();
    // Requests that had begun to arrive before, and are complete only now.
    await app.drain.idle();
    await close();
  }, drainMs);
