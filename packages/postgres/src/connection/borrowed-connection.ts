import type pg from 'pg';
import { leavesConnectionUsable } from './leaves-connection-usable.ts';
import { getStatementName } from './statement-names.ts';

const READ_ONLY = 'start transaction read only';

/** The beginning of the statement that narrows a transaction to one tenant. */
export const SCOPE_STATEMENT = "select set_config('svc.";

/** Returns true for a statement that begins a transaction. Its result is empty; a failure shows at the next statement. */
const isOpening = (text: string): boolean => text === 'begin' || text === READ_ONLY || text.startsWith(SCOPE_STATEMENT);

const NOTHING = { command: '', rowCount: 0, rows: [] };

/**
 * One connection of the connection pool, lent to one transaction. Statements are prepared by name at their second use. The statements that
 * open a
 * transaction are sent together with its first query, and the end of a read-only one is not awaited, so that a single read is one round
 * trip.
 * After a timeout a response may still arrive for an abandoned query: such a connection is closed, never lent again, and accepts no
 * more statements, so that a rollback does not wait for a server that does not respond.
 */
export const borrowedConnection = (client: pg.PoolClient) => {
  let broken = false;
  let onlyReads = false;
  let opening: Promise<unknown> | undefined;

  const send = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const name = values.length === 0 ? undefined : getStatementName(text);
    return await client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] }).catch((error: unknown) => {
      broken ||= !leavesConnectionUsable(error);
      throw error;
    });
  };

  const open = (text: string, values: readonly unknown[]): typeof NOTHING => {
    if (text === READ_ONLY) onlyReads = true;
    const sent = send(text, values);
    opening = opening === undefined ? sent : Promise.all([opening, sent]);
    // The sender of the next statement gets the error.
    void Promise.allSettled([opening]);
    return NOTHING;
  };

  return {
    query: async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
      if (broken) throw new Error('Connection terminated after a statement that broke it');
      if (isOpening(text)) return open(text, values);
      const sent = send(text, values);
      const opened = opening;
      opening = undefined;
      if (text === 'commit' && onlyReads) {
        void Promise.allSettled([opened, sent]);
        return { ...NOTHING, command: 'COMMIT' };
      }
      if (opened === undefined) return await sent;
      const [, answer] = await Promise.all([opened, sent]);
      return answer;
    },
    release: () => client.release(broken),
  };
};
