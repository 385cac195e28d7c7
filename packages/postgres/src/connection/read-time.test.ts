import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { sql } from 'kysely';
import { connect, type Database } from './connect.ts';

let fresh: FreshDatabase;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  database = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 5_000 });
});
after(async () => {
  await database.destroy();
  await fresh.drop();
});

/** Times in the database's format, and their parsed value. */
const READ = [
  ['2026-02-03 04:05:06', '2026-02-03T04:05:06.000Z'],
  ['2026-02-03 04:05:06.7', '2026-02-03T04:05:06.700Z'],
  ['2026-02-03 04:05:06.789', '2026-02-03T04:05:06.789Z'],
  ['2026-02-03 04:05:06.789123', '2026-02-03T04:05:06.789Z'],
  ['9999-12-31 23:59:59.999999', '9999-12-31T23:59:59.999Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['10000-01-01', '10000-01-01 00:00:00+00'],
  ['290000-01-01', '290000-01-01 00:00:00+00'],
  ['290000-01-01 00:00:00.123', '290000-01-01 00:00:00.123+00'],
  ['4000-01-01 BC', '4000-01-01 00:00:00+00 BC'],
  ['infinity', 'infinity'],
  ['-infinity', '-infinity'],
] as const;

test('reads each time of the database, and fails no other row', async () => {
  const { rows } = await sql<{ at: string }>`
    select at::timestamptz as at from unnest(${READ.map(([written]) => written)}::text[]) with ordinality as t (at, n) order by n`.execute(
    database,
  );
  assert.deepEqual(
    rows.map(({ at }) => at),
    READ.map(([, read]) => read),
  );
});
