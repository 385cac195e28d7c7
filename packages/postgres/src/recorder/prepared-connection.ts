import pg from 'pg';
import { type ConnectionSettings, clientConfig } from '../connection/connect.ts';
import { leavesConnectionUsable } from '../connection/leaves-connection-usable.ts';

export type PreparedStatement = { readonly name: string; readonly text: string };

/** One connection for statements prepared by name; opened at the first use and again after it broke. */
export type PreparedConnection = {
  readonly run: <Row extends pg.QueryResultRow>(statement: PreparedStatement, values: readonly unknown[]) => Promise<Row[]>;
  readonly close: () => Promise<void>;
};

/**
 * Planning a statement for each batch would take longer than running it. A cached plan was made before the tables
 * grew, so it must not use a full scan.
 */
const KEEP_PLANS = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'];

const STATEMENT_MS_MIN = 250;

export const openPreparedConnection = (settings: ConnectionSettings): PreparedConnection => {
  let opened: Promise<pg.Client> | undefined;

  const open = async (): Promise<pg.Client> => {
    const config = clientConfig(settings);
    const client = new pg.Client({
      ...config,
      // A statement that waited for its turn still gets a definite result within the timeout: one that the server ended wrote nothing.
      statement_timeout: Math.max(STATEMENT_MS_MIN, Math.floor(settings.timeoutMs / 2)),
      options: [config.options, ...KEEP_PLANS.map((setting) => `-c ${setting}`)].join(' '),
    });
    client.on('error', () => drop(opened));
    await client.connect();
    return client;
  };

  const drop = (which: Promise<pg.Client> | undefined): void => {
    if (which === undefined || opened !== which) return;
    opened = undefined;
    // The socket may be dead: a graceful close can fail or hang, and no one waits for it.
    which.then((client) => client.end()).catch(() => undefined);
  };

  return {
    run: async (statement, values) => {
      opened ??= open();
      const mine = opened;
      return await mine
        .then((client) => client.query({ ...statement, values: [...values] }))
        .then((result) => result.rows)
        .catch((error: unknown) => {
          if (!leavesConnectionUsable(error)) drop(mine);
          throw error;
        });
    },
    close: async () => {
      await opened?.then((client) => client.end()).catch(() => undefined);
      opened = undefined;
    },
  };
};
