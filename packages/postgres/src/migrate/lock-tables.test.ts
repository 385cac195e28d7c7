import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { lockTables } from './lock-tables.ts';
import { lookAtDatabase } from './look-at-database.ts';
import { applyAll, asOwner } from './migrate.ts';
import type { Migration } from './read-migrations.ts';

let database: FreshDatabase;
let owner: pg.Client;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  await owner.query('create table kept_a (id int); create table kept_b (id int)');
});
after(async () => {
  await owner.end();
  await database.drop();
});

/** Changes two tables in the opposite order of the requests below, with time between them. */
const change = (name: string): Migration => {
  const text = `alter table kept_b add column ${name} int; select pg_sleep(1.5); alter table kept_a add column ${name} int`;
  return { name: `9999_${name}.sql`, text, checksum: createHash('sha256').update(text).digest('hex') };
};

const applyOne = (name: string): Promise<string[]> =>
  asOwner(database.url, async (client) =>
    applyAll({ client, ownerUrl: database.url, installation: TEST_INSTALLATION, found: await lookAtDatabase(client) }, [change(name)]),
  );

/** Transactions without a pause that use one table and then the other, until they are stopped. */
const startRequests = async (
  count: number,
): Promise<{ readonly ended: () => Promise<{ readonly done: number; readonly failed: readonly string[] }> }> => {
  let [running, done] = [true, 0];
  const failed: string[] = [];
  const clients = await Promise.all(Array.from({ length: count }, () => database.client()));
  const loops = clients.map(async (client) => {
    while (running) {
      try {
        await client.query('begin; select count(*) from kept_a');
        await sleep(20);
        await client.query('select count(*) from kept_b; commit');
        done += 1;
      } catch (error) {
        failed.push(String(error));
        await client.query('rollback');
      }
    }
    await client.end();
  });
  return {
    ended: async () => {
      running = false;
      await Promise.all(loops);
      return { done, failed };
    },
  };
};

test('a migration ends during requests that use tables in another order, and none of them is aborted', async () => {
  const requests = await startRequests(6);
  const applying = applyOne('beside_requests');
  await Promise.allSettled([applying]);
  const { done, failed } = await requests.ended();
  assert.deepEqual(failed, []);
  assert.ok(done > 0);
  const applied = await applying;
  assert.deepEqual(applied, ['9999_beside_requests.sql']);
});

test('a migration waits for transactions that are longer than it waits for all tables', async () => {
  const slow = await database.client();
  let running = true;
  const loop = (async () => {
    while (running) await slow.query('begin; select count(*) from kept_a; select pg_sleep(1.5); commit');
    await slow.end();
  })();
  const applying = applyOne('behind_slow_ones');
  await Promise.allSettled([applying]);
  running = false;
  await loop;
  const applied = await applying;
  assert.deepEqual(applied, ['9999_behind_slow_ones.sql']);
});

test('a migration that cannot lock the tables is refused with a message, and lets requests through meanwhile', {
  timeout: 120_000,
}, async () => {
  const holder = await database.client();
  await holder.query('begin; lock table kept_a in share mode');
  const requests = await startRequests(2);
  await assert.rejects(
    asOwner(database.url, (client) => lockTables(client, 3_000)),
    /transactions hold tables of the database, such as a backup or a report/,
  );
  const { done, failed } = await requests.ended();
  await holder.query('rollback');
  await holder.end();
  assert.deepEqual(failed, []);
  assert.ok(done > 0, 'requests were answered while the migration waited');
  assert.deepEqual(await applyOne('behind_a_report'), ['9999_behind_a_report.sql']);
});
