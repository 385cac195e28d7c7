import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testRole } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';

/** Tables with another guard for scoped callers than their two columns, with reasons. */
const NARROWED: Readonly<Record<string, { readonly as: 'reading' | 'none'; readonly reason: string }>> = {
  audit_events: { as: 'reading', reason: 'whoever acts in one place may cause events about another' },
  environment_epochs: { as: 'none', reason: 'a change in one place moves the epoch of every place it reaches' },
  policy_invariants: { as: 'none', reason: 'an invariant around a place holds in it, and is stated from outside' },
};

/** Tables with a guard of their own, with reasons. */
const OWN_GUARD: Readonly<Record<string, string>> = {
  roles: 'the built-in ones are of no tenant, and every tenant sees them',
  member_workspaces: 'tenants read it and never write it',
  ended_sign_ins: 'a row is added by whoever has a session of the sign-in, and by nobody else',
};

/** Tables with a tenant column that no tenant sees: their clients are not signed in yet. */
const UNSEEN: readonly string[] = ['sso_attempts', 'sso_assertions'];

type Policy = { readonly tablename: string; readonly policyname: string; readonly roles: readonly string[] };

let database: FreshDatabase;
let owner: pg.Client;
let tables: readonly string[];

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  tables = rows.map(({ name }) => name);
});
after(async () => {
  await owner.end();
  await database.drop();
});

const readPolicies = async (table: string): Promise<readonly Policy[]> =>
  (
    await owner.query<Policy>(
      `select tablename, policyname, permissive, roles::text[] as roles, cmd, qual, with_check from pg_policies
        where tablename = $1 order by policyname`,
      [table],
    )
  ).rows;

/** Returns the policies of a table before and after its guard is applied again; the database stays unchanged. */
const guardAnew = async (table: string, roles: readonly string[]): Promise<{ before: readonly Policy[]; after: readonly Policy[] }> => {
  await owner.query('begin');
  try {
    const before = await readPolicies(table);
    await owner.query('select svc_guard($1::regclass, $2, $3)', [table, roles, NARROWED[table]?.as]);
    return { before, after: await readPolicies(table) };
  } finally {
    await owner.query('rollback');
  }
};

describe('every table of tenants', () => {
  test('has exactly the policies of the standard guard', async () => {
    assert.ok(tables.length >= 27, `${tables.length} tables`);
    for (const table of UNSEEN)
      for (const { roles } of await readPolicies(table))
        assert.ok(![testRole('svc_app'), 'public'].some((role) => roles.includes(role)), table);
    for (const table of tables.filter((each) => !UNSEEN.includes(each))) {
      const guard = (await readPolicies(table)).find(({ policyname }) => policyname === `${table}_of_the_tenant`);
      assert.ok(guard, `${table} names a tenant and is not guarded: select svc_guard('${table}', ...) in its migration`);
      if (Object.hasOwn(OWN_GUARD, table)) continue;
      const { before, after } = await guardAnew(table, guard.roles);
      assert.deepEqual(after, before, table);
    }
  });

  test('is reported without a guard if it is new, and narrowed with one', async () => {
    await owner.query('begin; create table webhooks (organization_id text not null, workspace_id text, environment_id text)');
    try {
      assert.deepEqual(await readPolicies('webhooks'), []);
      await owner.query("select svc_guard('webhooks', array[current_user::text])");
      assert.deepEqual(
        (await readPolicies('webhooks')).map(({ policyname }) => policyname),
        ['webhooks_in_scope', 'webhooks_of_the_tenant'],
      );
    } finally {
      await owner.query('rollback');
    }
  });
});
