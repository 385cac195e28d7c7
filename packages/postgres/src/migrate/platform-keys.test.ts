import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_INSTALLATION, testRole } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { DATABASE_ROLES } from '../connection/connect.ts';
import { migrate } from './migrate.ts';

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

test('lets no role of a program write, retire or remove a platform key', async () => {
  for (const role of DATABASE_ROLES) {
    const { rows } = await owner.query(
      `select has_any_column_privilege($1, 'platform_keys', 'insert, update') or has_table_privilege($1, 'platform_keys', 'delete, truncate') as writes`,
      [testRole(role)],
    );
    assert.deepEqual(rows, [{ writes: false }], role);
  }
});

test('creates a platform key as the owner if none is in use, sealed by the installation, and no other', async () => {
  const inUse = async () =>
    (
      await owner.query(
        'select key_id as kid, public_key, private_key_sealed as sealed_private_key from platform_keys where retired_at is null',
      )
    ).rows;
  const [first, ...others] = await inUse();
  assert.deepEqual([TEST_INSTALLATION.opens(first), others], [true, []]);
  assert.equal((await migrate(database.url, TEST_INSTALLATION)).platformKey, undefined);
  await owner.query('update platform_keys set retired_at = now()');
  const { platformKey } = await migrate(database.url, TEST_INSTALLATION);
  const [second, ...besides] = await inUse();
  assert.deepEqual([second.kid, TEST_INSTALLATION.opens(second), besides], [platformKey, true, []]);
  assert.notEqual(second.kid, first.kid);
});
