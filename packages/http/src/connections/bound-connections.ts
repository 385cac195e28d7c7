import type { Server } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { newTokenBuckets } from '@svc/shared-state/token-buckets.ts';
import { newConnection, type ServerConnection } from './connection.ts';
import { evictOne } from './evict.ts';
import { createTenantKeys, type Holder, type TenantKeys } from './holders.ts';
import { NO_CAPACITY, newTurnAway, TOO_MANY } from './turn-away.ts';

export type ConnectionBounds = {
  readonly totalMax: number;
  /** Per address. Undefined behind a proxy, whose address all clients share. */
  readonly perAddressMax: number | undefined;
  /** Rate at which one address may open connections, if it is not the default. */
  readonly opened?: { readonly atOnceMax: number; readonly perSecondMax: number };
};

const { keptForFewMax, fewMax, holdersAskedMax, openedAtOnceMax, openedPerSecondMax, openersMax } = LIMITS.connections;

const OPENED = { atOnceMax: openedAtOnceMax, perSecondMax: openedPerSecondMax };

const thoseWithMost = (kinds: readonly TenantKeys[]): Holder[] =>
  kinds.flatMap(({ byCount }) => [...byCount().take(holdersAskedMax)]).sort((a, b) => b.open.size - a.open.size);

/** Tracks which organization each connection authenticated as, if that identifies the connection. */
const newProofs = (open: ReadonlySet<ServerConnection>, isShared: boolean) => {
  const organizations = createTenantKeys();
  const organizationOf = new Map<ServerConnection, string>();
  return {
    organizations,
    forget: (connection: ServerConnection): void => {
      const organization = organizationOf.get(connection);
      if (organization !== undefined) organizations.remove(organization, connection);
      organizationOf.delete(connection);
    },
    // Behind a proxy it is the last caller, which does not identify the connection.
    note: (connection: ServerConnection, organization: string): void => {
      connection.isProven = true;
      const before = organizationOf.get(connection);
      if (isShared || before === organization || !open.has(connection)) return;
      if (before !== undefined) organizations.remove(before, connection);
      organizationOf.set(connection, organization);
      organizations.add(organization, connection);
    },
  };
};

/**
 * Limits the connections of a server, in total and by source address. At capacity it closes one of the tenant key (an address or an
 * organization) that holds most, and reserves a part for addresses with few. The rate of opening is limited too, so that closing and
 * reconnecting costs the others nothing. Returns the open connections in order of arrival.
 */
export const boundConnections = (
  server: Server,
  { totalMax, perAddressMax, opened = OPENED }: ConnectionBounds,
): ReadonlySet<ServerConnection> => {
  const open = new Set<ServerConnection>();
  const addresses = createTenantKeys();
  const isShared = perAddressMax === undefined;
  const proofs = newProofs(open, isShared);
  const tooOften = newTokenBuckets({ burstMax: opened.atOnceMax, perSecond: opened.perSecondMax, keysMax: openersMax });
  const turnAway = newTurnAway();
  const keptForFew = isShared ? 0 : Math.min(keptForFewMax, Math.floor(totalMax / 8));

  const forget = (connection: ServerConnection): void => {
    if (!open.delete(connection)) return;
    addresses.remove(connection.addressGroup, connection);
    proofs.forget(connection);
  };
  // Closed sockets emit their event later; they free capacity at once.
  const isEvictedFrom = (holder: Holder | undefined): boolean => {
    const closed = holder && evictOne(holder);
    if (closed) forget(closed);
    return closed !== undefined;
  };
  const makeRoom = (): boolean => thoseWithMost([addresses, proofs.organizations]).some(isEvictedFrom);
  const hasRoom = (group: string): boolean => {
    const held = addresses.getCount(group);
    if (!isShared && held >= perAddressMax) return isEvictedFrom(addresses.find(group));
    return open.size < totalMax - (held < fewMax ? 0 : keptForFew) || makeRoom();
  };

  server.on('connection', (socket) => {
    const group = getAddressGroup(socket.remoteAddress ?? '');
    const connection = newConnection(socket, group);
    if (!isShared && tooOften(group) !== undefined) return turnAway(connection, TOO_MANY);
    const isOwn = !isShared && addresses.getCount(group) >= perAddressMax;
    if (!hasRoom(group)) return turnAway(connection, isOwn ? TOO_MANY : NO_CAPACITY);
    connection.noteProof = (organization) => proofs.note(connection, organization);
    open.add(connection);
    addresses.add(group, connection);
    socket.once('close', () => forget(connection));
  });
  return open;
};
