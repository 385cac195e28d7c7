import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { holdServer } from './hold-server.ts';
import { cloneTemplate } from './template.ts';

/** A migrated database that nobody else knows. */
export type FreshDatabase = {
  /** Connection string of the owner, who is a superuser. */
  readonly url: string;
  /** A connection as the owner; the caller ends it. */
  readonly client: () => Promise<pg.Client>;
  /** Ends every connection to it and removes it. */
  readonly drop: () => Promise<void>;
};

export const connectAsOwner = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'svc test' });
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

/** A fresh database, cloned from a template that was migrated once. */
export const freshDatabase = async (): Promise<FreshDatabase> => {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const url = await inServer((session, serverUrl) => cloneTemplate(session, serverUrl, name));
  return {
    url,
    client: () => connectAsOwner(url),
    drop: () => inServer(async (session) => void (await session.query(`drop database if exists ${name} with (force)`))),
  };
};
