import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BUILT_IN_ROLES, isKeyRole } from '@svc/contract/tables/built-in-roles.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';
import { EMPTY_SCHEMA } from './empty-schema.fixture.ts';
import { migrate } from './migrate.ts';
import { forInstallation } from './read-migrations.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATION = '0027_rights_come_with_the_credential.sql';

const EXPECTED = BUILT_IN_ROLES.map(({ id, name, description, permissions }) => ({
  ...{ id, name, description, permissions },
  for_keys: isKeyRole(id),
}));
const READ = 'select id, name, description, permissions, for_keys from roles where organization_id is null order by id';

test('restores the built-in roles of the contract at each start, after any change of them', async () => {
  const fresh = await createFreshDatabase();
  const client = await fresh.client();
  try {
    const rows = async () => (await client.query(READ)).rows;
    assert.deepEqual(await rows(), EXPECTED);
    const state = async () => (await client.query('select id, xmin::text from roles order by id')).rows;
    const before = await state();
    await migrate(fresh.url, TEST_INSTALLATION);
    assert.deepEqual(await state(), before, 'what is as it should be is not written');
    await client.query(`
      insert into organizations (id, name) values ('org_a', 'a');
      insert into roles (id, organization_id, name, permissions) values ('rol_own', 'org_a', 'owner', '{agent:read}'), ('rol_made_up', null, 'god', '{agent:read}');
      update roles set permissions = permissions || '{organization:delete}', for_keys = true where name = 'viewer' and organization_id is null;
      update roles set organization_id = 'org_a' where id = 'rol_00000000000000000000000005';
      delete from roles where id = 'rol_00000000000000000000000002';
      update roles set name = 'admin' where id = 'rol_made_up'`);
    await migrate(fresh.url, TEST_INSTALLATION);
    assert.deepEqual(await rows(), EXPECTED);
    const own = await client.query('select id, permissions from roles where organization_id is not null');
    assert.deepEqual(own.rows, [{ id: 'rol_own', permissions: ['agent:read'] }]);
    const forced = await client.query("select relforcerowsecurity as forced from pg_class where relname = 'roles'");
    assert.equal(forced.rows[0].forced, true);
  } finally {
    await client.end();
    await fresh.drop();
  }
});

test('keeps the workspace limits of keys from before there were sets of workspaces', async () => {
  const fresh = await createFreshDatabase();
  const client = await fresh.client();
  try {
    await client.query(EMPTY_SCHEMA);
    const names = readdirSync(FOLDER).sort();
    const getText = (name: string) => forInstallation(readFileSync(new URL(name, FOLDER), 'utf8'), TEST_INSTALLATION);
    for (const name of names.filter((each) => each < MIGRATION)) await client.query(getText(name));
    await client.query(`
      insert into organizations (id, name) values ('org_a', 'a');
      insert into api_keys (organization_id, id, workspace_id, name, role_id, token_hash, created_by, expires_at) values
        ('org_a', 'apk_1', 'wsp_1', 'k', 'r', '\\x01', 'usr_1', now()), ('org_a', 'apk_2', null, 'k', 'r', '\\x02', 'usr_1', now())`);
    for (const name of names.filter((each) => each >= MIGRATION)) await client.query(getText(name));
    assert.deepEqual((await client.query('select id, workspace_ids from api_keys order by id')).rows, [
      { id: 'apk_1', workspace_ids: ['wsp_1'] },
      { id: 'apk_2', workspace_ids: null },
    ]);
  } finally {
    await client.end();
    await fresh.drop();
  }
});
