import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testRole } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';

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

/** The fixed columns of a credential, and the owner of its tokens. */
const NEVER_CHANGED = {
  credentials: [
    ...[
      'created_at',
      'created_by',
      'description',
      'destinations',
      'environment_id',
      'extras',
      'id',
      'name',
      'organization_id',
      'placement',
      'scheme',
    ],
    ...['servers', 'tools', 'workspace_id'],
  ],
  credential_tokens: ['credential_id', 'environment_id', 'organization_id', 'workspace_id'],
};

test('lets the control plane write the changeable columns of a credential, and not its destination and purpose', async () => {
  for (const [table, columns] of Object.entries(NEVER_CHANGED)) {
    const { rows } = await owner.query<{ name: string }>(
      `select attname::text as name from pg_attribute where attrelid = $2::regclass and attnum > 0 and not attisdropped
          and not has_column_privilege($1, attrelid, attnum, 'update') order by 1`,
      [testRole('svc_app'), table],
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      columns,
      table,
    );
  }
});
