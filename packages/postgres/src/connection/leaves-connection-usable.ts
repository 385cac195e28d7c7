import pg from 'pg';

/** What a connection says of a statement that it prepared before what it names was made anew: it may never recover. */
const STALE = new Set(['XX000', '42704', '0A000', '26000']);

/** A statement that would be right if it were prepared anew. */
export const isStalePlan = (error: unknown): boolean => error instanceof pg.DatabaseError && STALE.has(error.code ?? '');

/** An error the server itself reported leaves the connection in a known state; anything else does not, nor does a plan that went stale. */
export const leavesConnectionUsable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity !== 'FATAL' && !isStalePlan(error);
