import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { connect, type Database } from '../../connection/connect.ts';
import { listLiveSessions } from './own-sessions.ts';

const ENDED = 20_000;

let fresh: FreshDatabase;
let owner: pg.Client;
let identity: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  identity = connect({ url: fresh.url, role: 'svc_identity', ...testLogin('svc_identity'), connectionsMax: 1, timeoutMs: 20_000 });
  await owner.query("insert into organizations (id, name) values ('org', 'o')");
  await owner.query("insert into users (id, email, name) values ('usr', 'p@example.com', 'P')");
  await owner.query("insert into members (organization_id, id, user_id, role_id) values ('org', 'mem', 'usr', 'r')");
  await owner.query(
    `insert into sessions (organization_id, id, user_id, token_hash, expires_at, revoked_at)
     select 'org', 'ses_' || n, 'usr', sha256(n::text::bytea), now() + interval '12 hours', case when n > 3 then now() end
       from generate_series(1, ${ENDED}) n`,
  );
  await owner.query('analyze sessions, members, users, organizations');
});
after(async () => {
  await identity.destroy();
  await owner.end();
  await fresh.drop();
});

/** Counts the session rows read until now, by any plan; reports statistics of the reading connection first. */
const readUntilNow = async (): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(identity);
  await sql`select 1`.execute(identity);
  const { rows } = await owner.query(
    "select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_user_tables where relname = 'sessions'",
  );
  return Number(rows[0].n);
};

test('reads no ended sessions for a session list, however many there are', async () => {
  const before = await readUntilNow();
  const now = new Date();
  const live = await listLiveSessions(identity, { userId: 'usr', now, idleSince: new Date(now.getTime() - 3_600_000) });
  assert.deepEqual(live.map(({ id }) => id).toSorted(), ['ses_1', 'ses_2', 'ses_3']);
  const read = (await readUntilNow()) - before;
  assert.ok(read < ENDED / 100, `${read} rows`);
});
