import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFreshDatabase } from '../database/database.ts';
import { readTables } from './read-tables.ts';

test('detects any row that is added, changed, reset or removed, and ignores recorded uses', async () => {
  const database = await createFreshDatabase();
  const owner = await database.client();
  await owner.query("insert into organizations (id, name) values ('org_1', 'One')");
  const first = await readTables(owner);
  await owner.query("update organizations set name = 'Two'");
  const changed = await readTables(owner);
  assert.notEqual(changed.organizations, first.organizations);
  await owner.query("update organizations set name = 'One'");
  const back = await readTables(owner);
  assert.notEqual(back.organizations, first.organizations);
  await owner.query("insert into users (id, email, name, password_hash) values ('usr_1', 'a@b.c', 'A', '')");
  await owner.query(
    "insert into sessions (organization_id, id, user_id, token_hash, expires_at) values ('org_1', 'ses_1', 'usr_1', '', now())",
  );
  const added = await readTables(owner);
  assert.deepEqual(
    Object.keys(added).filter((table) => added[table] !== back[table]),
    ['sessions', 'users'],
  );
  await owner.query("update sessions set last_used_at = '2000-01-01'");
  assert.deepEqual(await readTables(owner), added);
  await owner.query('delete from sessions');
  assert.equal((await readTables(owner)).sessions, first.sessions);
  await owner.end();
  await database.drop();
});
