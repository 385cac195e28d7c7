import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { connect, type Database } from './connect.ts';
import { inTenant, readInTenant } from './in-tenant.ts';

let fresh: FreshDatabase;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  const login = testLogin('svc_app');
  database = connect({ url: fresh.url, role: 'svc_app', ...login, connectionsMax: 1, timeoutMs: 5_000 });
});
after(async () => {
  await database.destroy();
  await fresh.drop();
});

const org = { organization_id: 'org_a' };
const setting = (on: Database): Promise<string> =>
  sql<{ value: string }>`select coalesce(current_setting('svc.organization_id', true), '') as value`
    .execute(on)
    .then(({ rows }) => rows[0]?.value ?? '');
const readBackend = (on: Database): Promise<number> =>
  sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on).then(({ rows }) => rows[0]?.pid ?? 0);
const wrong = (code: string) => (error: unknown) => error instanceof pg.DatabaseError && error.code === code;

for (const [name, run] of [
  ['inTenant', inTenant],
  ['readInTenant', readInTenant],
] as const) {
  describe(name, () => {
    test('applies its scope to every statement of the work, and leaves nothing to the next borrower of the connection', async () => {
      const seen = await run(database, org, async (tx) => [await setting(tx), await setting(tx)]);
      assert.deepEqual(seen, ['org_a', 'org_a']);
      assert.equal(await setting(database), '');
      const many = await Promise.all(
        Array.from({ length: 50 }, (_, n) => run(database, { organization_id: `org_${n}` }, (tx) => setting(tx))),
      );
      assert.deepEqual(
        many,
        Array.from({ length: 50 }, (_, n) => `org_${n}`),
      );
      assert.equal(await setting(database), '');
    });

    test('reports a failing statement, fails the work, and leaves the connection usable', async () => {
      const backend = await readBackend(database);
      const work = run(database, org, async (tx) => {
        await sql`select 1 / 0`.execute(tx);
      });
      await assert.rejects(work, wrong('22012'));
      const after = run(database, org, async (tx) => {
        await sql`select 1 / 0`.execute(tx).catch(() => undefined);
        return await setting(tx);
      });
      await assert.rejects(after, wrong('25P02'));
      assert.equal(await run(database, org, (tx) => setting(tx)), 'org_a');
      assert.equal(await readBackend(database), backend);
    });

    test('leaves no transaction open for work without a query, or that fails before one', async () => {
      assert.equal(await run(database, org, async () => 7), 7);
      await assert.rejects(
        run(database, org, async () => {
          throw new Error('not today');
        }),
        /not today/,
      );
      assert.equal(await setting(database), '');
    });
  });
}

test('rejects writes in a read-only transaction, and allows them in another, within row-level security', async () => {
  const write = (tx: Database) => sql`insert into idempotency_keys default values`.execute(tx);
  await assert.rejects(readInTenant(database, org, write), wrong('25006'));
  await assert.rejects(inTenant(database, org, write), wrong('42501'));
});

test('prepares a statement at its second use, and reuses its plan for other values', async () => {
  const ask = (n: number) => inTenant(database, org, (tx) => sql<{ n: number }>`select ${n}::int + 40 as n`.execute(tx));
  for (const n of [1, 2, 3]) assert.equal((await ask(n)).rows[0]?.n, n + 40);
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements where statement like '%+ 40 as n'`.execute(
    database,
  );
  assert.equal(rows.length, 1);
});

test('fails the work and replaces a connection that breaks between opening and the first statement', async () => {
  const backend = await readBackend(database);
  const owner = await fresh.client();
  const work = readInTenant(database, org, async (tx) => {
    await owner.query('select pg_terminate_backend($1, 5000)', [backend]);
    return await setting(tx);
  });
  await assert.rejects(work);
  assert.notEqual(await readBackend(database), backend);
  await owner.end();
});
