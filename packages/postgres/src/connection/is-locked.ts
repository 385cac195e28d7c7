import pg from 'pg';

const LOCK_NOT_AVAILABLE = '55P03';

/** Returns true if a statement gave up waiting for rows or a table locked by another transaction: the database itself responds. */
export const isLocked = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
