import pg from 'pg';

/** SQLSTATE disk_full. */
const DISK_FULL = '53100';

/** True if the database, or this machine, has no space left to write. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? error.code === DISK_FULL : error instanceof Error && (error as { code?: unknown }).code === 'ENOSPC';
