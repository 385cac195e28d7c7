import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { holdServer } from './hold-server.ts';
import { cloneTemplate } from './template.ts';

/** A migrated database for one user. */
export type FreshDatabase = {
  /** Connection string of the owner, who is a superuser. */
  readonly url: string;
  /** A connection as the owner; the caller ends it. */
  readonly client: () => Promise<pg.Client>;
  /** Ends every connection to it and removes it. */
  readonly drop: () => Promise<void>;
};

/** Setting of a connection that states since when its database serves this test file alone. */
export const LEASED_AT = 'svc_testing.leased_at';

export const connectAsOwner = async (url: string, leasedAt?: Date): Promise<pg.Client> => {
  const options = leasedAt === undefined ? undefined : `-c ${LEASED_AT}=${leasedAt.toISOString()}`;
  const client = new pg.Client({ connectionString: url, application_name: 'svc test', ...(options === undefined ? {} : { options }) });
  await client.connect();
  return client;
};

const inServer = async <Result>(work: (session: pg.Client, url: string) => Promise<Result>): Promise<Result> => {
  const { url } = await holdServer();
  const session = await connectAsOwner(url);
  try {
    return await work(session, url);
  } finally {
    await session.end();
  }
};

const leftWithinMs = 2_000;

/**
 * Waits until ended connections have left, which takes a moment; one that is still there when the database is dropped gets a server error.
 */
const waitUntilLeft = async (session: pg.Client, name: string): Promise<void> => {
  for (const until = Date.now() + leftWithinMs; Date.now() < until; await sleep(20)) {
    const { rowCount } = await session.query("select from pg_stat_activity where datname = $1 and backend_type = 'client backend'", [name]);
    if (rowCount === 0) return;
  }
};

/** Creates a database, cloned from a template that is migrated once. */
export const createFreshDatabase = async (): Promise<FreshDatabase> => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const url = await inServer((session, serverUrl) => cloneTemplate(session, serverUrl, name));
  return {
    url,
    client: () => connectAsOwner(url),
    drop: () =>
      inServer(async (session) => {
        await waitUntilLeft(session, name);
        await session.query(`drop database if exists ${name} with (force)`);
      }),
  };
};
