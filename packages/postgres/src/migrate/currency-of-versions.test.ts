import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createFreshDatabase } from '@svc/testing/database/database.ts';
import { TEST_INSTALLATION } from '@svc/testing/database/master-key.ts';
import { EMPTY_SCHEMA } from './empty-schema.fixture.ts';
import { forInstallation } from './read-migrations.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATION = '0009_exchange_rates.sql';

test('gives versions from before there were currencies the base currency of their organization', async () => {
  const fresh = await createFreshDatabase();
  const client = await fresh.client();
  try {
    await client.query(EMPTY_SCHEMA);
    const names = readdirSync(FOLDER).sort();
    const getText = (name: string) => forInstallation(readFileSync(new URL(name, FOLDER), 'utf8'), TEST_INSTALLATION);
    for (const name of names.filter((each) => each < MIGRATION)) await client.query(getText(name));
    await client.query(`
      insert into organizations (id, name, base_currency) values ('org_a', 'a', 'JPY'), ('org_b', 'b', 'EUR');
      insert into policies (organization_id, id, name) values ('org_a', 'pol_a', 'a'), ('org_b', 'pol_b', 'b');
      insert into policy_versions (organization_id, id, policy_id, version_number, status, rules, tests, created_by) values
        ('org_a', 'pvr_1', 'pol_a', 1, 'SUPERSEDED', '[]', '[]', 'x'), ('org_a', 'pvr_2', 'pol_a', 2, 'ACTIVE', '[]', '[]', 'x'),
        ('org_b', 'pvr_3', 'pol_b', 1, 'DRAFT', '[]', '[]', 'x')`);
    for (const name of names.filter((each) => each >= MIGRATION)) await client.query(getText(name));
    const { rows } = await client.query('select id, currency from policy_versions order by id');
    assert.deepEqual(rows, [
      { id: 'pvr_1', currency: 'JPY' },
      { id: 'pvr_2', currency: 'JPY' },
      { id: 'pvr_3', currency: 'EUR' },
    ]);
    const forced = await client.query(
      "select bool_and(relforcerowsecurity) as forced from pg_class where relname in ('policy_versions', 'organizations')",
    );
    assert.equal(forced.rows[0].forced, true);
  } finally {
    await client.end();
    await fresh.drop();
  }
});
