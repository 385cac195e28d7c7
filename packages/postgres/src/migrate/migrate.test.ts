import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectAsOwner, createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';
import { migrate } from './migrate.ts';

let database: FreshDatabase;
before(async () => {
  database = await createFreshDatabase();
});
after(() => database.drop());

test('leaves an up-to-date database unchanged', async () => {
  assert.deepEqual(await migrate(database.url, TEST_INSTALLATION), { applied: [], platformKey: undefined });
});

test('refuses a database of a newer version, or with other files, in a sentence', async () => {
  const owner = await database.client();
  await owner.query("insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')");
  await assert.rejects(migrate(database.url, TEST_INSTALLATION), /newer version \(9999_later\.sql\)/);
  await owner.query("delete from schema_migrations where name = '9999_later.sql'");
  await owner.query("update schema_migrations set checksum = 'x' where name like '0001%'");
  await assert.rejects(migrate(database.url, TEST_INSTALLATION), /differs from the one that was applied to this database/);
  await owner.end();
});

test('refuses an empty database with a wrong encoding with a remedy, and leaves it empty', async () => {
  const owner = await database.client();
  const name = `latin_${process.pid}`;
  await owner.query(`create database ${name} encoding 'LATIN1' template template0 locale 'C'`);
  try {
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    await assert.rejects(
      migrate(url.href, TEST_INSTALLATION),
      /encoding LATIN1 of the database .*create database latin_\d+_utf8 encoding 'UTF8' template template0/,
    );
    const inside = await connectAsOwner(url.href);
    const { rows } = await inside.query("select relname from pg_class where relnamespace = 'public'::regnamespace");
    await inside.end();
    assert.deepEqual(rows, []);
  } finally {
    await owner.query(`drop database ${name} with (force)`);
    await owner.end();
  }
});

test('sends no notification: changes are found by reading', async () => {
  const owner = await database.client();
  const { rows } = await owner.query("select proname from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~* 'notify'");
  assert.deepEqual(rows, []);
  await owner.end();
});
