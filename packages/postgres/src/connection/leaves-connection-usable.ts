import pg from 'pg';

/** Errors of a connection whose prepared statement refers to an object that was recreated: it may never recover. */
const STALE = new Set(['XX000', '42704', '0A000', '26000']);

/** Returns true for a statement that would succeed if it were prepared again. */
export const isStalePlan = (error: unknown): boolean => error instanceof pg.DatabaseError && STALE.has(error.code ?? '');

/** Returns true for an error that the server reported, after which the connection is in a known state, except for a stale plan. */
export const leavesConnectionUsable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity !== 'FATAL' && !isStalePlan(error);
