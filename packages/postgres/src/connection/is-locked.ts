import pg from 'pg';

const LOCK_NOT_AVAILABLE = '55P03';

/** True if a statement gave up its wait for rows or a table that another transaction holds: the database itself answers. */
export const isLocked = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
