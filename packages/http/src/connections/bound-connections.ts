import type { Server } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import { type Connection, isIdle, newConnection } from './connection.ts';

export type ConnectionBounds = {
  readonly totalMax: number;
  /** From one address. Undefined behind a proxy, whose address is that of everybody. */
  readonly perAddressMax: number | undefined;
};

type Rank = (connection: Connection) => boolean;

/** Who is closed to make room, and how many of them: first who asks nothing and never showed a credential. Who is at work never is. */
const RANKS: readonly { readonly fits: Rank; readonly most: number }[] = [
  { fits: (connection) => !connection.isProven && isIdle(connection), most: LIMITS.connections.evictedTogetherMax },
  { fits: (connection) => !connection.isProven, most: 1 },
  { fits: isIdle, most: 1 },
];

/** Closes the oldest of those that are worth least; false when there is nobody to close. */
const evict = (among: readonly Connection[]): boolean => {
  for (const { fits, most } of RANKS) {
    const chosen = among.filter(fits).slice(0, most);
    for (const { socket } of chosen) socket.destroy();
    if (chosen.length > 0) return true;
  }
  return false;
};

/** Bounds the connections of a server, in all and by source address. Answers those that are open, in the order in which they came. */
export const boundConnections = (server: Server, { totalMax, perAddressMax = totalMax }: ConnectionBounds): ReadonlySet<Connection> => {
  const open = new Set<Connection>();
  const perAddress = new Map<string, number>();

  const forget = (connection: Connection): void => {
    if (!open.delete(connection)) return;
    const left = (perAddress.get(connection.addressGroup) ?? 1) - 1;
    if (left > 0) perAddress.set(connection.addressGroup, left);
    else perAddress.delete(connection.addressGroup);
  };
  // Closed sockets tell so later; they leave room at once.
  const makeRoom = (among: readonly Connection[]): boolean => {
    const made = evict(among);
    for (const connection of among) if (connection.socket.destroyed) forget(connection);
    return made;
  };
  const hasRoom = (group: string): boolean => {
    if ((perAddress.get(group) ?? 0) >= perAddressMax && !makeRoom([...open].filter((one) => one.addressGroup === group))) return false;
    return open.size < totalMax || makeRoom([...open]);
  };

  server.on('connection', (socket) => {
    const group = addressGroup(socket.remoteAddress ?? '');
    if (!hasRoom(group)) return void socket.destroy();
    const connection = newConnection(socket, group);
    open.add(connection);
    perAddress.set(group, (perAddress.get(group) ?? 0) + 1);
    socket.once('close', () => forget(connection));
  });
  return open;
};
