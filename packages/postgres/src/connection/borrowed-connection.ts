import type pg from 'pg';
import { leavesConnectionUsable } from './leaves-connection-usable.ts';
import { statementName } from './statement-names.ts';

const READ_ONLY = 'start transaction read only';

/** How the statement begins that narrows a transaction to one tenant. */
export const SCOPE_STATEMENT = "select set_config('svc.";

/** What begins a transaction. Its answer holds nothing: whether it went well, the next statement shows. */
const isOpening = (text: string): boolean => text === 'begin' || text === READ_ONLY || text.startsWith(SCOPE_STATEMENT);

const NOTHING = { command: '', rowCount: 0, rows: [] };

/**
 * One connection of a pool, lent to one transaction. Statements are prepared by name at their second use. What opens a transaction is sent
 * together with its first statement, and the end of one that only read is not waited for, so that a single read is one round trip.
 * After a timeout an answer may still arrive for a query nobody waits for: such a connection is closed, never lent again, and takes no
 * more statements, so that a rollback does not wait for a server that has fallen silent.
 */
export const borrowedConnection = (client: pg.PoolClient) => {
  let broken = false;
  let onlyReads = false;
  let opening: Promise<unknown> | undefined;

  const send = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const name = values.length === 0 ? undefined : statementName(text);
    return await client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] }).catch((error: unknown) => {
      broken ||= !leavesConnectionUsable(error);
      throw error;
    });
  };

  const open = (text: string, values: readonly unknown[]): typeof NOTHING => {
    if (text === READ_ONLY) onlyReads = true;
    const sent = send(text, values);
    opening = opening === undefined ? sent : Promise.all([opening, sent]);
    // Whoever sends the next statement hears of it.
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
