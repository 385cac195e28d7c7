import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFreshDatabase } from './database.ts';

test('each fresh database is migrated, empty and separate from every other', async () => {
  const [one, other] = await Promise.all([createFreshDatabase(), createFreshDatabase()]);
  const [first, second] = await Promise.all([one.client(), other.client()]);
  await first.query("insert into organizations (id, name) values ('org_1', 'One')");
  assert.equal((await first.query('select id from organizations')).rowCount, 1);
  assert.equal((await second.query('select id from organizations')).rowCount, 0);
  await Promise.all([first.end(), second.end()]);
  await Promise.all([one.drop(), other.drop()]);
  await assert.rejects(one.client(), { code: '3D000' });
});
