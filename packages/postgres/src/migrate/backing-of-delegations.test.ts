import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';
import { EMPTY_SCHEMA } from './empty-schema.fixture.ts';
import { forInstallation } from './read-migrations.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATION = '0127_delegations_rest_on_people_who_may_delegate.sql';

test('derives the backing of existing delegations from their people: those who may delegate and see the agent, those who may not, and those who left', async () => {
  const fresh = await createFreshDatabase();
  const client = await fresh.client();
  const unwritten = getBuiltInRole('developer').id;
  try {
    await client.query(EMPTY_SCHEMA);
    const names = readdirSync(FOLDER).sort();
    const getText = (name: string) => forInstallation(readFileSync(new URL(name, FOLDER), 'utf8'), TEST_INSTALLATION);
    for (const name of names.filter((each) => each < MIGRATION)) await client.query(getText(name));
    const people = ['may', 'may_not', 'gone', 'back', 'here', 'elsewhere', 'unwritten'];
    await client.query(`
      insert into organizations (id, name, base_currency) values ('org_a', 'a', 'EUR');
      insert into workspaces (organization_id, id, name, slug) values ('org_a', 'wsp_a', 'a', 'a'), ('org_a', 'wsp_b', 'b', 'b');
      insert into environments (organization_id, id, workspace_id, name, type) values ('org_a', 'env_a', 'wsp_a', 'a', 'STAGING');
      insert into agents (organization_id, id, workspace_id, environment_id, name, created_at, updated_at)
        values ('org_a', 'agt_a', 'wsp_a', 'env_a', 'a', now(), now());
      insert into roles (id, organization_id, name, permissions) values ('rol_a', 'org_a', 'a', '{delegation:create}'), ('rol_b', 'org_a', 'b', '{}');
      insert into users (id, email, name) select 'usr_' || n, n || '@example.com', n from unnest('{${people.join()}}'::text[]) n;
      insert into members (organization_id, id, user_id, role_id, is_limited, created_at) values
        ('org_a', 'mem_1', 'usr_may', 'rol_a', false, now() - interval '2 days'),
        ('org_a', 'mem_2', 'usr_may_not', 'rol_b', false, now() - interval '2 days'),
        ('org_a', 'mem_3', 'usr_back', 'rol_a', false, now()),
        ('org_a', 'mem_4', 'usr_here', 'rol_a', true, now() - interval '2 days'),
        ('org_a', 'mem_5', 'usr_elsewhere', 'rol_a', true, now() - interval '2 days'),
        ('org_a', 'mem_6', 'usr_unwritten', '${unwritten}', false, now() - interval '2 days');
      insert into member_workspaces (organization_id, member_id, workspace_id) values ('org_a', 'mem_4', 'wsp_a'), ('org_a', 'mem_5', 'wsp_b');
      insert into delegations (organization_id, id, delegator_user_id, delegate_agent_id, path, depth, workspace_ids, environment_ids,
          created_by_type, created_by_id, created_at, updated_at)
        select 'org_a', 'del_' || n, 'usr_' || n, 'agt_a', '', 0, '{}', '{}', 'USER', 'usr_' || n, now() - interval '1 day', now()
          from unnest('{${people.join()}}'::text[]) n`);
    for (const name of names.filter((each) => each >= MIGRATION)) await client.query(getText(name));
    const { rows } = await client.query('select id, backing from delegations');
    assert.deepEqual(Object.fromEntries(rows.map(({ id, backing }) => [id.slice(4), backing])), {
      ...{ may: 'HELD', may_not: 'LACKED', gone: 'GONE', back: 'GONE', here: 'HELD', elsewhere: 'LACKED', unwritten: 'HELD' },
    });
    const after = await client.query(`
      select (select bool_and(relforcerowsecurity) from pg_class where relname in ('delegations', 'members', 'member_workspaces', 'roles')) as forced,
             (select bool_and(tgenabled = 'O') from pg_trigger where tgrelid = 'delegations'::regclass and not tgisinternal) as watched`);
    assert.deepEqual(after.rows, [{ forced: true, watched: true }]);
  } finally {
    await client.end();
    await fresh.drop();
  }
});
