import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import pg from 'pg';
import { hasErrorCode } from '../system/system-error.ts';
import type { DataLayout } from './data-layout.ts';
import { buildOwnerUrl } from './owner-url.ts';

/** 'absent': no server listens. 'busy': a server exists, but is starting, stopping, recovering, out of connections or unresponsive. */
export type OwnerConnection = pg.Client | 'absent' | 'busy';

const CONNECT_TIMEOUT_MS = 2_000;

/** Tries once to connect to the local database as the owner role. The caller closes the client. */
export const connectAsOwner = async (layout: DataLayout): Promise<OwnerConnection> => {
  const connectionString = buildOwnerUrl(layout.dataDir);
  if (connectionString === undefined) {
    throw new DatabaseServerFault(
      `The owner's password ${layout.passwordFile} is missing, so the database cannot be opened. Restore that file from a backup, or choose another folder with DATA_DIR.`,
    );
  }
  const client = new pg.Client({ connectionString, ssl: false, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Emitted if the server exits during an open session; pending queries are rejected separately.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    // A broken connection may never emit its end.
    await Promise.race([client.end().catch(() => {}), sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]);
    if (hasErrorCode(error, 'ENOENT', 'ECONNREFUSED')) return 'absent';
    if (hasErrorCode(error, '28P01', '28000')) {
      throw new DatabaseServerFault(
        `The database does not accept the owner's password in ${layout.passwordFile}: restore that file from a backup, or choose another folder with DATA_DIR.`,
      );
    }
    // 57P03: starting up or shutting down. 53300: too many connections. The others: disconnected, or no response within the timeout.
    if (hasErrorCode(error, '57P03', '57P01', '53300', 'ECONNRESET', 'EPIPE', 'EAGAIN') || isConnectionLost(error)) return 'busy';
    throw error;
  }
};

const isConnectionLost = (error: unknown): boolean => error instanceof Error && /timeout|terminated/i.test(error.message);
