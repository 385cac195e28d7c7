import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import pg from 'pg';
import { hasErrorCode } from '../system/system-error.ts';
import type { DataLayout } from './data-layout.ts';
import { buildOwnerUrl } from './owner-url.ts';

/** 'absent': nothing listens. 'busy': a server exists, but is starting, stopping, recovering or frozen. */
export type OwnerConnection = pg.Client | 'absent' | 'busy';

const connectWithinMs = 2_000;

/** Tries once to open a session of the owner role. The caller ends the client. */
export const connectAsOwner = async (layout: DataLayout): Promise<OwnerConnection> => {
  const connectionString = buildOwnerUrl(layout.dataDir);
  if (connectionString === undefined) {
    throw new DatabaseServerFault(
      `The owner's password ${layout.passwordFile} is missing, so the database cannot be opened. Restore that file from a backup, or choose another folder with DATA_DIR.`,
    );
  }
  const client = new pg.Client({ connectionString, ssl: false, connectionTimeoutMillis: connectWithinMs });
  // A server that dies during an open session reports it here; pending queries fail by themselves.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    // A broken connection may never report its end.
    await Promise.race([client.end().catch(() => {}), sleep(connectWithinMs, undefined, { ref: false })]);
    if (hasErrorCode(error, 'ENOENT', 'ECONNREFUSED')) return 'absent';
    if (hasErrorCode(error, '28P01', '28000')) {
      throw new DatabaseServerFault(
        `The database does not accept the owner's password in ${layout.passwordFile}: restore that file from a backup, or choose another folder with DATA_DIR.`,
      );
    }
    // 57P03: starting up or shutting down. The rest: disconnected or no answer within the limit.
    if (hasErrorCode(error, '57P03', '57P01', '53300', 'ECONNRESET', 'EPIPE', 'EAGAIN') || isCutOff(error)) return 'busy';
    throw error;
  }
};

const isCutOff = (error: unknown): boolean => error instanceof Error && /timeout|terminated/i.test(error.message);
