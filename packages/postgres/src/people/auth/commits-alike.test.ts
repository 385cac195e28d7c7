import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../../connection/connect.ts';
import { isResetCode } from '../passwords/password-resets.ts';
import { trySignUps } from './sign-ups.ts';

let database: FreshDatabase;
let identity: Database;

before(async () => {
  database = await createFreshDatabase();
  identity = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url, max: 1 }) }) });
});
after(async () => {
  await identity.destroy();
  await database.drop();
});

/** Returns the bytes that the connection has written to the server's write-ahead log so far. */
const written = async (): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(identity);
  const { rows } = await sql<{ records: number }>`
    select wal_records::int as records from pg_stat_get_backend_wal(pg_backend_pid())`.execute(identity);
  return rows[0]?.records ?? Number.NaN;
};

test('makes a durable commit for an unknown code, like for a known one', async () => {
  const now = new Date();
  const asks = {
    'of a sign-up': () => trySignUps(identity, 'nobody', now),
    'of a reset': () => isResetCode(identity, { key: 'nobody', codeHash: Buffer.alloc(32), isCounted: true, now }),
  };
  for (const [what, ask] of Object.entries(asks)) {
    await ask();
    const before = await written();
    assert.deepEqual(await ask(), what === 'of a reset' ? false : []);
    // A message and the commit.
    assert.equal((await written()) - before, 2, what);
  }
});
