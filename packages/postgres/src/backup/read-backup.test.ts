import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import type pg from 'pg';
import { openBackup } from './read-backup.ts';

let database: FreshDatabase;
let owner: pg.Client;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
});
after(async () => {
  await owner.end();
  await database.drop();
});

const addUser = (name: string) =>
  owner.query(`insert into users (id, email, name, password_hash) values ('${name}', '${name}@x', '${name}', 'h')`);

test('contains one moment, despite writes while it is read', async () => {
  await addUser('before');
  const backup = await openBackup(database.url);
  const read: string[] = [];
  for await (const part of backup.parts) {
    // The first table is read and those after it are not yet.
    if (read.length === 0) await addUser('after');
    if (part.kind === 'rows') read.push(...part.rows);
    else read.push(part.name);
  }
  await backup.close();
  assert.ok(read.includes('users') && read.some((row) => row.includes('before@x')));
  assert.ok(!read.some((row) => row.includes('after@x')));
  assert.ok(!read.includes('schema_migrations') && !read.includes('installation'));
});

test('reads rows in groups of bounded size, for any row size', async () => {
  const large = 'x'.repeat(1_000_000);
  for (let n = 0; n < 40; n += 1)
    await owner.query('insert into users (id, email, name, password_hash) values ($1, $1, $2, $1)', [`u${n}`, large]);
  const backup = await openBackup(database.url);
  const groups: number[] = [];
  for await (const part of backup.parts) if (part.kind === 'rows') groups.push(part.rows.reduce((sum, row) => sum + row.length, 0));
  await backup.close();
  assert.ok(Math.max(...groups) < 12_000_000, `${Math.max(...groups)} bytes in one group`);
});
